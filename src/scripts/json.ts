/** What goes into a script and comes out of it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
