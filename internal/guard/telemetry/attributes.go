package telemetry

import (
	"strings"

	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
)

// list is a list of attributes.
type list []*common.KeyValue

func (l *list) add(name string, v *common.AnyValue) {
	*l = append(*l, &common.KeyValue{Key: name, Value: v})
}

func text(s string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: strings.ToValidUTF8(s, "")}}
}

func (l *list) text(name, s string) {
	if s != "" {
		l.add(name, text(s))
	}
}

func (l *list) number(name string, n int64) {
	l.add(name, &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: n}})
}

func (l *list) real(name string, n float64) {
	l.add(name, &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: n}})
}

func (l *list) flag(name string, b bool) {
	l.add(name, &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: b}})
}

func (l *list) texts(name string, all []string) {
	values := make([]*common.AnyValue, len(all))
	for i, s := range all {
		values[i] = text(s)
	}
	l.add(name, &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: values}}})
}
