import type { Maybe } from '../../src/kit/index.ts';
import type { OAuth2Configuration, OAuth2Setup } from '../../src/spi/index.ts';
import type { Validator } from './validator.ts';

interface Sources {
  /** Validator of security.ini, if configured there. */
  readonly fileValidator: Validator | undefined;
  readonly sharesWork: boolean;
  make(configuration: OAuth2Configuration, revision: number): Promise<Validator>;
}

interface RevisedValidator {
  readonly revision: number;
  readonly validator: Validator;
}

/** The validator of the configuration that counts now. One that was written through the API takes the place of that of the file. */
export function currentValidator({
  fileValidator,
  sharesWork,
  make,
}: Sources): (setup: OAuth2Setup) => Maybe<Validator | undefined> {
  let current: RevisedValidator | undefined;
  let making: { readonly revision: number; readonly validator: Promise<Validator> } | undefined;

  async function build(configuration: OAuth2Configuration, revision: number): Promise<Validator> {
    const validator = await make(configuration, revision);
    // Keeps the validator of a faster request with its caches.
    if (current?.revision !== revision) current = { revision, validator };
    return current.validator;
  }

  return ({ configuration, revision }) => {
    if (configuration === undefined) return fileValidator;
    if (current?.revision === revision) return current.validator;
    if (making?.revision === revision) return making.validator;
    const validator = build(configuration, revision).finally(() => {
      if (making?.validator === validator) making = undefined;
    });
    if (sharesWork) making = { revision, validator };
    return validator;
  };
}
