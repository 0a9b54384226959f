/** What of the package is used here; it brings no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface Saved {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly Grant: new (
      given: object,
    ) => Saved;
    readonly AccessToken: new (
      given: object,
    ) => Saved;
  }
}
