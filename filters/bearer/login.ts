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
import { oauth2Problems } from './check.ts';
import { waysIn } from './configuration.ts';
import { currentValidator } from './current.ts';
import { makeValidator, type Surroundings } from './make-validator.ts';
import { clientOf, configurationOf, type OAuth2Properties, policyOf } from './properties.ts';
import { refusals } from './refusals.ts';
import { admit, refusedFor } from './users.ts';
import type { TokenOutcome, Validator } from './validator.ts';

interface BearerLogin {
  login(credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer>;
  /** Problems of a configuration before the API stores it. */
  oauth2Problems(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  close(): void;
}

/** Longer than all headers that Node accepts. */
const longestToken = 16_384;

/** Setup for filters whose configuration the API must not change. */
const nothingStored: OAuth2Setup = { revision: 0, configuration: undefined };

/** Throws a sentence for a configuration of the file that cannot be used. */
export async function bearerLogin(given: OAuth2Properties, host: Host): Promise<BearerLogin> {
  const ended = new AbortController();
  const surroundings = { host, policy: policyOf(given), signal: ended.signal };
  const current = currentValidator({
    fileValidator: await validatorOfFile(given, surroundings),
    sharesWork: host.sharesWork,
    make: (configuration, revision) =>
      makeValidator(configuration, { scope: `revision ${revision}`, trusted: false }, surroundings),
  });
  const stored = (request: FilterRequest) => (given.allowConfigUpdate === false ? nothingStored : request.oauth2());
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

async function validatorOfFile(given: OAuth2Properties, surroundings: Surroundings): Promise<Validator | undefined> {
  const client = clientOf(given);
  const configuration = configurationOf(given);
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
  if (token.length > longestToken) return refusedFor('token-too-long');
  return after(validator.validate(token), (outcome) => settled(outcome, credentials, request));
}

/** A token that this service cannot judge may be one that a realm of a plugin knows: one that accepts is enough. */
function settled(outcome: TokenOutcome, credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer> {
  if ('claims' in outcome) return admit(outcome.claims.user, request);
  const { refusal } = outcome;
  if (!refusals[refusal].asksRealms) return refusedFor(refusal);
  return after(request.login(credentials), (answer) => (answer.accepted ? answer : refusedFor(refusal)));
}
