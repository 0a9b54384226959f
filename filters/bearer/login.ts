import { after, type Maybe } from '../../src/kit/index.ts';
import type {
  Credentials,
  FilterRequest,
  Host,
  OAuth2Configuration,
  OAuth2Problem,
  OAuth2Setup,
} from '../../src/spi/index.ts';
import type { SchemeAnswer } from '../authorization.ts';
import { invalidity } from './certificate.ts';
import { type ConfigurationProblem, defaultPolicy, type Policy, readMode, waysIn } from './configuration.ts';
import { readKeys } from './key-texts.ts';
import { makeValidator, type Surroundings } from './make-validator.ts';
import { clientOf, configurationOf, type OAuth2Properties, policyOf } from './properties.ts';
import { type Claims, type RefusalId, refusals, type TokenOutcome, type Validator } from './validator.ts';

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
function currentValidator({
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

/** The answer to a token that is refused. Nothing of the token is in it. */
function refusedFor(reason: RefusalId, headers?: Readonly<Record<string, string>>): SchemeAnswer {
  const challenge = `error="invalid_token", error_description="${refusals[reason].says}"`;
  const isUndecided = 'isUndecided' in refusals[reason];
  return { accepted: false, reason, challenge, isUndecided, ...(headers ? { headers } : {}) };
}

/** Admits the user of a valid token, who must exist and be enabled. No user is created. */
function admit({ user: name, expires }: Claims, request: FilterRequest): Maybe<SchemeAnswer> {
  if (name === undefined) return refusedFor('user-claim-wrong');
  return after(request.findUser(name), (user) => {
    if (!user) return refusedFor('user-unknown', { reason: `User was not found: ${headerSafe(name)}` });
    if (!user.enabled) return refusedFor('user-disabled');
    return { accepted: true, account: { name: user.name, ...(expires === undefined ? {} : { ends: expires }) } };
  });
}

const maxNameLength = 200;

/** Printable ASCII as it is, anything else as a URL would have it. */
const headerSafe = (name: string): string =>
  name
    .toWellFormed()
    .slice(0, maxNameLength)
    .toWellFormed()
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent);

/** Current problems of a configuration. Empty: it is usable. */
export async function oauth2Problems(
  configuration: OAuth2Configuration,
  now: number,
  policy: Pick<Policy, 'allowPlainText' | 'insecureCertificates'> = defaultPolicy,
): Promise<readonly ConfigurationProblem[]> {
  const problems = [...readMode(configuration, policy).problems];
  for (const element of ['x509Certificate', 'publicKey'] as const) {
    const read = await readKeys(element, configuration[element] ?? []);
    problems.push(...read.problems);
    if (policy.insecureCertificates) continue;
    for (const { name, validity } of read.keys) {
      const problem = validity && invalidity(validity, now);
      if (problem)
        problems.push({ element, explanation: `Expected a certificate that is valid now: ${problem} (${name})` });
    }
  }
  return problems;
}

interface BearerLogin {
  login(credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer>;
  /** Problems of a configuration before the API stores it. */
  oauth2Problems(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  close(): void;
}

/** Longer than all headers that Node accepts. */
const maxTokenLength = 16_384;

/** Setup for filters whose configuration the API must not change. */
const nothingStored: OAuth2Setup = { revision: 0, configuration: undefined };

/** Throws a sentence for a configuration of the file that cannot be used. */
export async function bearerLogin(properties: OAuth2Properties, host: Host): Promise<BearerLogin> {
  const ended = new AbortController();
  const surroundings = { host, policy: policyOf(properties), signal: ended.signal };
  const current = currentValidator({
    fileValidator: await validatorOfFile(properties, surroundings),
    sharesWork: host.sharesWork,
    make: (configuration, revision) =>
      makeValidator(configuration, { scope: `revision ${revision}`, trusted: false }, surroundings),
  });
  const stored = (request: FilterRequest) =>
    properties.allowConfigUpdate === false ? nothingStored : request.oauth2();
  return {
    login: (credentials, request) =>
      after(stored(request), (setup) =>
        after(current(setup), (validator) =>
          validator ? validated(validator, credentials, request) : request.login(credentials),
        ),
      ),
    oauth2Problems: (configuration) => oauth2Problems(configuration, host.now(), surroundings.policy),
    close: () => ended.abort(),
  };
}

async function validatorOfFile(
  properties: OAuth2Properties,
  surroundings: Surroundings,
): Promise<Validator | undefined> {
  const client = clientOf(properties);
  const configuration = configurationOf(properties);
  const { expectedAudience, tokenUser } = configuration;
  if (waysIn(configuration).length === 0) {
    // No error: files have it where the rest is told to the API, whose document takes the place of all this.
    if (expectedAudience ?? tokenUser)
      surroundings.host.log('warn', 'oauth2-incomplete', { expectedAudience, tokenUser });
    return undefined;
  }
  const problems = await oauth2Problems(configuration, surroundings.host.now(), surroundings.policy);
  if (problems.length > 0) {
    throw new Error(problems.map(({ explanation }) => explanation).join('; '));
  }
  return makeValidator(configuration, { scope: 'security.ini', trusted: true, client }, surroundings);
}

function validated(validator: Validator, credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer> {
  if (credentials.kind !== 'bearer') return request.login(credentials);
  const token = credentials.token.reveal();
  if (token.length > maxTokenLength) return refusedFor('token-too-long');
  return after(validator.validate(token), (outcome) => settled(outcome, credentials, request));
}

/** A token that this service cannot judge may be one that a realm of a plugin knows: one that accepts is enough. */
function settled(outcome: TokenOutcome, credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer> {
  if ('claims' in outcome) return admit(outcome.claims, request);
  const { refusal } = outcome;
  if (!refusals[refusal].asksRealms) return refusedFor(refusal);
  return after(request.login(credentials), (answer) => (answer.accepted ? answer : refusedFor(refusal)));
}
