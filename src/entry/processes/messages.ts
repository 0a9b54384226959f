/** Messages of a serving process to the primary. */
export type ToPrimary =
  | { readonly kind: 'listening'; readonly port: number }
  /** Commits may have made work of these kinds. */
  | { readonly kind: 'changed'; readonly kinds: readonly string[] }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'figures'; readonly id: number; readonly text: string };

/** Messages of the primary to a serving process. */
export type ToServing =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'tell-figures'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown };

export type Question = 'metrics' | 'work';

/** Names a process as one that a primary has started. Its value is the port to share on Deno. */
export const servingVariable = 'PORTICO_STARTED_BY_PRIMARY';
