import { A, type B } from './b';
export class C<T> extends A implements B {
  private readonly x: number = 1;
  constructor(private y: string, z?: number) { super(); this.y = y; }
  m<U>(a: T, ...rest: U[]): a is T { const q = a as unknown as number; return q! > this.x; }
}
export const f = async ({ k }: { k: number }, [l]: number[]): Promise<void> => { await g(k ?? l); };
enum E { P = 1, Q }
type S = { a: number } | null;
function h(this: S, a: number | undefined = 2): asserts a is number { for (const v of [1, 2]) { if (!a || v === 1) { throw new Error(`x${a}`); } } }
