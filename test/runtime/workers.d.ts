/** The little of a Worker's own module that the suite uses: its full types would redefine what every runtime shares. */
declare module 'cloudflare:workers' {
  export const env: Readonly<Record<string, unknown>>;
  export const exports: { readonly default: { fetch(address: string, init?: RequestInit): Promise<Response> } };
}
