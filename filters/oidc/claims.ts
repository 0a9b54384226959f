import type { Account } from '../../src/spi/index.ts';
import { isJsonObject, type JsonObject, ownProperty } from '../bearer/json.ts';
import { Refused } from './id-token.ts';
import { defaults, type OidcProperties, pairsOf } from './properties.ts';

type Names = Pick<OidcProperties, 'userClaim' | 'realNameClaim' | 'groupsClaim'>;

/** Value of a claim. Dots in a name lead into objects, whose names may have dots themselves: of two readings the longer name wins. */
function claimAt(claims: JsonObject, name: string): unknown {
  const whole = ownProperty(claims, name);
  if (whole !== undefined) return whole;
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const outer = ownProperty(claims, name.slice(0, dot));
    const value = isJsonObject(outer) ? claimAt(outer, name.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

const maxTextLength = 1_024;
const maxTexts = 500;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxTextLength && !/[\0-\x1f\x7f]/.test(value);

/** Texts of a claim. Undefined for another value: groups that cannot be read change nothing. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (isText(value)) return [value];
  return Array.isArray(value) && value.length <= maxTexts && value.every(isText) ? value : undefined;
}

/** Claims of the protocol, which say nothing about a person. */
const ofProtocol: ReadonlySet<string> = new Set([
  'acr',
  'amr',
  'at_hash',
  'aud',
  'auth_time',
  'azp',
  'c_hash',
  'exp',
  'iat',
  'iss',
  'jti',
  'nbf',
  'nonce',
  'sid',
]);

/** Whether the ID token tells all that an account needs. */
export const tellsAll = (claims: JsonObject, { userClaim, groupsClaim }: Names): boolean =>
  [userClaim ?? defaults.userClaim, groupsClaim ?? defaults.groupsClaim].every(
    (name) => claimAt(claims, name) !== undefined,
  );

/**
 * Why the provider tells no groups. Undefined: it tells some. A person may be in more groups than the provider tells:
 * Entra ID then names a place where they are.
 */
export function silenceAboutGroups(
  claims: JsonObject,
  { groupsClaim = defaults.groupsClaim }: Names,
): 'too-many' | 'no-claim' | 'not-texts' | undefined {
  const groups = claimAt(claims, groupsClaim);
  if (groups !== undefined) return textsOf(groups) ? undefined : 'not-texts';
  const elsewhere = ownProperty(claims, '_claim_names');
  const isElsewhere = isJsonObject(elsewhere) && ownProperty(elsewhere, groupsClaim) !== undefined;
  return isElsewhere || ownProperty(claims, 'hasgroups') === true ? 'too-many' : 'no-claim';
}

/** Claims that a person lacks: any of the values, which bars part, or a list with one of them, will do. */
export function missingClaim(claims: JsonObject, { requiredClaims }: OidcProperties): string | undefined {
  const missing = pairsOf(requiredClaims).find(([name, values]) => {
    const value = claimAt(claims, name);
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    return !values.split('|').some((each) => texts.includes(each.trim()));
  });
  return missing?.[0];
}

/** Name of the user, if the claims have one that can be. */
export function userNameIn(claims: JsonObject, { userClaim = defaults.userClaim }: Names): string | undefined {
  const name = claimAt(claims, userClaim);
  return isText(name) && name !== '' ? name : undefined;
}

/** Account of a person, with the claims as attributes for user-info providers. */
export function accountOf(claims: JsonObject, names: Names, ends: number): Account {
  const {
    userClaim = defaults.userClaim,
    realNameClaim = defaults.realNameClaim,
    groupsClaim = defaults.groupsClaim,
  } = names;
  const name = userNameIn(claims, names);
  if (name === undefined) throw new Refused('user-claim-wrong', { claim: userClaim });
  // Some providers let people write any address there.
  if (userClaim === 'email' && ownProperty(claims, 'email_verified') !== true)
    throw new Refused('email-not-verified', { user: name, claim: 'email_verified' });
  const attributes: Record<string, string | readonly string[]> = {};
  for (const [key, value] of Object.entries(claims)) {
    const texts = ofProtocol.has(key) || key === '__proto__' ? undefined : textsOf(value);
    if (texts) attributes[key] = typeof value === 'string' ? value : texts;
  }
  const realName = claimAt(claims, realNameClaim);
  const groups = textsOf(claimAt(claims, groupsClaim));
  // Under the names that user-info providers read, and nothing that the provider sent under them.
  delete attributes['realName'];
  delete attributes['groups'];
  if (isText(realName)) attributes['realName'] = realName;
  if (groups) attributes['groups'] = groups;
  return { name, attributes, attributeSources: { groups: groupsClaim, realName: realNameClaim }, ends };
}
