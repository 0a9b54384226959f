/** Values that scripts receive and return. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Name of the last statement's value. A reserved word, so that no variable has this name. */
export const lastValue = 'return';
