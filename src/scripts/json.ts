/** What goes into a script and comes out of it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** For what a script leaves: the value of its last statement. A reserved word, so that no variable has that name. */
export const lastValue = 'return';
