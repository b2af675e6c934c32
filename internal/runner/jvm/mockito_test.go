package jvm_test

import (
	"slices"
	"testing"

	"fettle/internal/testenv"
)

var mocked = pom(jupiter, "org.mockito:mockito-junit-jupiter:5.14.2", "org.assertj:assertj-core:3.26.3") + `
-- src/main/java/com/shop/Checkout.java --
package com.shop;

import java.util.List;

/** What a basket costs. */
public class Checkout {
    private final Prices prices;
    private final Mail mail;

    public Checkout(Prices prices, Mail mail) {
        this.prices = prices;
        this.mail = mail;
    }

    public long total(List<String> basket) {
        long sum = 0;
        for (String article : basket) {
            sum += prices.of(article);
        }
        if (sum > 5000) {
            return sum;
        }
        return sum + 490;
    }

    public long buy(String customer, List<String> basket) {
        if (basket.isEmpty()) {
            throw new IllegalArgumentException("nothing to buy");
        }
        long sum = total(basket);
        mail.send(customer, "You pay " + sum + " cents.");
        return sum;
    }
}
-- src/main/java/com/shop/Mail.java --
package com.shop;

/** Sends letters. */
public class Mail {
    public void send(String to, String text) {
        throw new UnsupportedOperationException("no server");
    }
}
-- src/main/java/com/shop/Prices.java --
package com.shop;

/** Where prices come from. */
public interface Prices {
    long of(String article);
}
-- src/test/java/com/shop/CheckoutTest.java --
package com.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.InjectMocks;
import org.mockito.Mock;
import org.mockito.junit.jupiter.MockitoExtension;

@ExtendWith(MockitoExtension.class)
class CheckoutTest {
    @Mock Prices prices;
    @Mock Mail mail;
    @InjectMocks Checkout checkout;

    @Test
    void postageBelowTheBound() {
        when(prices.of("pen")).thenReturn(200L);
        assertThat(checkout.total(List.of("pen", "pen"))).isEqualTo(890);
    }

    @Test
    void noPostageAtTheBound() {
        when(prices.of("lamp")).thenReturn(5000L);
        assertThat(checkout.total(List.of("lamp"))).isEqualTo(5000);
    }

    @Test
    void writesWhatIsPaid() {
        when(prices.of("desk")).thenReturn(9000L);
        assertThat(checkout.buy("ann", List.of("desk"))).isEqualTo(9000);
        verify(mail).send("ann", "You pay 9000 cents.");
    }

    @Test
    void nothingToBuy() {
        assertThatThrownBy(() -> checkout.buy("ann", List.of())).isInstanceOf(IllegalArgumentException.class);
        verify(mail, never()).send(any(), any());
    }
}
`

// TestMockito has mocks of an interface and of a class, which Mockito makes while tests run and injects by its extension, and assertions of AssertJ:
// candidates are tried in a warm machine all the same.
func TestMockito(t *testing.T) {
	testenv.NeedMaven(t)
	const f = "src/main/java/com/shop/Checkout.java"
	p := lay(t, mocked)
	s := one(t, p, mavenCheck)
	if got := s.Failing(); !slices.Equal(got, []string{"com.shop.CheckoutTest#noPostageAtTheBound"}) {
		t.Errorf("failing: %v", got)
	}
	expect(t, p, s, []want{
		{name: "right", path: f, was: "sum > 5000", is: "sum >= 5000", plausible: true, healed: 1},
		{name: "wrong", path: f, was: "sum > 5000", is: "sum > 5001", note: "still fails"},
		{name: "what a mock is told", path: f, was: "\"You pay \" + sum", is: "\"You pay \" + basket", note: "still fails"},
		{name: "what breaks another", path: f, was: "sum > 5000", is: "sum > 0", note: "passed before and fails", healed: 1, broken: 1},
		{name: "a mock's class", path: "src/main/java/com/shop/Mail.java", was: "throw new UnsupportedOperationException(\"no server\");", is: "", note: "still fails"},
	})
}
