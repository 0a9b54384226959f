import type { SqlValue, Statement } from '../../core/store/contract.ts';
import { committed, type GroupTerms, type Settled } from '../../core/store/local/executor.ts';

/**
 * The language of the serving thread and the writer thread. A text crosses once and is a number from then on. A group
 * is two flat arrays, because copying many small objects would cost more than running them.
 */
interface GroupMessage {
  readonly group: number;
  /** Texts that have not been sent before; their numbers go on from the last. */
  readonly texts: readonly string[];
  /** The numbers begin again at zero. */
  readonly forget: boolean;
  /** For each transaction its number of statements; for each statement its text, its number of arguments, `returns`. */
  readonly plan: readonly number[];
  readonly args: readonly SqlValue[];
  /** The first transaction is the statement that the group begins with. */
  readonly guarded: boolean;
  readonly bound: boolean;
}

export type ToWriter = GroupMessage | { readonly close: true };

/** Only members that are not simply done are told of. */
export interface GroupAnswer {
  readonly group: number;
  readonly failed?: { readonly code: string; readonly explanation: string };
  readonly special?: readonly (readonly [member: number, settled: Settled])[];
}

export type FromWriter = GroupAnswer | { readonly ready: true } | { readonly closed: true } | { readonly dead: string };

const textLimit = 1_000;

/** Gives each text its number. One for each writer thread: a new thread knows nothing. */
export class GroupEncoder {
  readonly #numbers = new Map<string, number>();

  encode(
    group: number,
    members: readonly (readonly Statement[])[],
    { first, bound = false }: GroupTerms,
  ): GroupMessage {
    const transactions = first ? [[first], ...members] : members;
    const forget = this.#numbers.size > textLimit;
    if (forget) this.#numbers.clear();
    const texts: string[] = [];
    const plan: number[] = [];
    const args: SqlValue[] = [];
    for (const statements of transactions) {
      plan.push(statements.length);
      for (const statement of statements) {
        let number = this.#numbers.get(statement.sql);
        if (number === undefined) {
          number = this.#numbers.size;
          this.#numbers.set(statement.sql, number);
          texts.push(statement.sql);
        }
        plan.push(number, statement.args.length, statement.returns ? 1 : 0);
        // By number: an iterator makes an object for each value, and every commit is read here.
        for (let index = 0; index < statement.args.length; index++) args.push(statement.args[index]!);
      }
    }
    return { group, texts, forget, plan, args, guarded: first !== undefined, bound };
  }
}

export class GroupDecoder {
  #texts: string[] = [];

  decode(message: GroupMessage): [members: Statement[][], terms: GroupTerms] {
    if (message.forget) this.#texts = [];
    this.#texts.push(...message.texts);
    const { plan, args } = message;
    const transactions: Statement[][] = [];
    let next = 0;
    for (let at = 0; at < plan.length; ) {
      const statements: Statement[] = [];
      for (let left = plan[at++]!; left > 0; left--, at += 3) {
        const until = next + plan[at + 1]!;
        const statement = { sql: this.#texts[plan[at]!]!, args: args.slice(next, until) as readonly SqlValue[] };
        statements.push(plan[at + 2] ? { ...statement, returns: true } : statement);
        next = until;
      }
      transactions.push(statements);
    }
    const first = message.guarded ? transactions.shift()?.[0] : undefined;
    return [transactions, { first, bound: message.bound }];
  }
}

export function groupAnswer(group: number, settled: readonly Settled[]): GroupAnswer {
  const special: [number, Settled][] = [];
  for (let member = 0; member < settled.length; member++) {
    if (settled[member] !== committed) special.push([member, settled[member]!]);
  }
  return special.length === 0 ? { group } : { group, special };
}

export function settledOf(answer: GroupAnswer, members: number): Settled[] {
  const settled = new Array<Settled>(members).fill(committed);
  for (const [member, one] of answer.special ?? []) settled[member] = one;
  return settled;
}
