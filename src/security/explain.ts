import type { Explanation } from '../core/documents/index.ts';
import { textToBase64 } from '../core/lib/bytes.ts';
import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { LimitedReader, Reader } from '../core/store/statement.ts';
import type { Account, LoginAnswer, Verdict } from '../spi/index.ts';
import { type Caller, changeAsCaller } from './caller.ts';
import type { NamedRealm } from './ini/security-parts.ts';
import { canonicalTarget, type TakesOpaque } from './path.ts';
import type { Decision, Pipeline } from './pipeline.ts';
import type { Directory, Subject, UserGrounds } from './subject.ts';

export interface Question {
  readonly method: string;
  /** Request target as sent. Undefined: only the user is explained. */
  readonly target: string | undefined;
  /** User whose request is explained, assumed to be authenticated. Undefined: an anonymous request. */
  readonly user: string | undefined;
  /** Account that asks. Undefined: a command. */
  readonly by?: string;
  /** Whether a user asks about the own rights, who learns nothing about the configuration and about others. */
  readonly isOwn?: boolean;
}

/** Level on an entity of a path, as its route asks for it. */
export interface WantedLevel {
  readonly kind: string;
  /** Name of the entity in the path. */
  readonly name: string;
  readonly level: string;
  readonly operation?: string | undefined;
}

/** Level of a user on an entity, with the entries that speak for the user. */
export interface LevelGrounds {
  readonly id: string;
  readonly granted: boolean;
  /** Whether the user may read the entity. */
  readonly mayRead: boolean;
  readonly permission: string;
  readonly reason: string;
  readonly owner: string | undefined;
  readonly entry: readonly { readonly id: string; readonly counts: boolean; readonly says: string }[];
}

/** Rights that a route requires. */
export interface Needed {
  /** Method and path, such as `GET /user/:name`. */
  readonly route: string;
  readonly role: string;
  /** Second role that the route requires. */
  readonly also?: string | undefined;
  /** Role that is enough instead of the first one, and for what. */
  readonly or?: { readonly role: string; readonly for: string } | undefined;
  /** User named by the path, who may use the route, too, and the role that this user needs for it. */
  readonly self?: { readonly name: string | undefined; readonly role?: string | undefined } | undefined;
  /** Further requirement, in words that follow "the caller has". */
  readonly besides?: string | undefined;
  readonly isDangerous: boolean;
  /** Levels on entities of the path. */
  readonly levels: readonly WantedLevel[];
  /** Throws the refusal of a program whose one role is for other paths. */
  checkPath(subject: Subject): Maybe<void>;
  /** Finds the entities of the path for a caller. Throws the refusal. */
  findEntities(caller: Caller): Maybe<unknown>;
}

interface Explaining {
  readonly pipeline: Pipeline;
  readonly realms: readonly NamedRealm[];
  readonly directory: Directory;
  readonly takesOpaque: TakesOpaque;
  /** Name of the file with the chains. */
  readonly file: string;
  now(): number;
  reader(account: string): LimitedReader;
  neededAt(method: string, path: string): Needed | undefined;
  explainLevel(
    reader: Reader,
    user: { readonly id: string; readonly name: string },
    wanted: WantedLevel,
  ): Promise<LevelGrounds | undefined>;
}

type Missing = NonNullable<Explanation['missing']>[number];
type Level = NonNullable<Explanation['level']>[number];

/** Explains a request: whether it would pass, what its user lacks, and where the groups come from. Nothing is carried out. */
export async function explainRequest(parts: Explaining, question: Question): Promise<Explanation> {
  const { user, isOwn = false, by = '' } = question;
  const reader = parts.reader(by);
  const realmsOfUser = user === undefined ? undefined : await whoKnows(parts, user);
  const grounds = user === undefined ? undefined : await parts.directory.explainUser(reader, user);
  const stranger = user === undefined ? [] : strangeness(user, realmsOfUser, grounds);
  const request = await explainTarget({ ...parts, reader: () => reader }, question, realmsOfUser, stranger);
  const role = grounds?.groups.filter(({ isRole }) => isRole).map(({ name }) => name);
  const explanation: Explanation = {
    user: grounds?.user.name,
    ...request,
    ...(realmsOfUser && { known: realmsOfUser.known, silent: realmsOfUser.silent }),
    lastLogin: grounds?.lastLogin,
    role,
    group: grounds?.groups.map(({ isRole, ...group }) => ({ ...group, role: isRole || undefined })),
    missing: [...stranger, ...(request.missing ?? [])],
  };
  return isOwn ? ofOwn(explanation) : explanation;
}

/** Part of an explanation for its own user: without the configuration. */
const ofOwn = ({ pattern, line, file, step, known, silent, ...explanation }: Explanation): Explanation => explanation;

/** Why a user cannot log in at all. */
function strangeness(user: string, realms: RealmFindings | undefined, grounds: UserGrounds | undefined): Missing[] {
  const name = `"${user}"`;
  if (grounds && !grounds.user.enabled) return [{ what: 'user', says: `The user ${name} is disabled` }];
  return realms?.login.accepted === false ? [{ what: 'user', says: `No realm knows ${name}` }] : [];
}

async function explainTarget(
  parts: Explaining,
  { method, target, user, isOwn = false }: Question,
  realmsOfUser: RealmFindings | undefined,
  stranger: readonly Missing[],
): Promise<Explanation> {
  if (target === undefined) return {};
  const { pipeline, takesOpaque, neededAt } = parts;
  const { path, rawPath, query } = canonicalTarget(target, takesOpaque);
  const chain = pipeline.chainOf(path);
  const step: NonNullable<Explanation['step']>[number][] = [];
  // Dummy credentials, because filters read them. They are assumed to be valid.
  const authorization = user === undefined ? null : `Basic ${textToBase64(`${user}:assumed`)}`;
  const headers = new Headers({ host: 'localhost', ...(authorization === null ? {} : { authorization }) });
  const login = (): LoginAnswer => realmsOfUser?.login ?? { accepted: false, reason: 'nobody-asked' };
  const request = { method, path, rawPath, query, headers, authorization, arrival: { address: '127.0.0.1' } };
  const decision = await pipeline.trace(request, login, ({ name }, answer) => step.push({ name, ...wordsOf(answer) }));
  const met = {
    ...{ method, path, pattern: chain?.pattern, line: chain?.line, file: chain?.line ? parts.file : undefined, step },
    granted: decision.granted,
  };
  if (!decision.granted) {
    const missing = stranger.length > 0 ? [] : [refusedBy(decision, step, isOwn)];
    return { ...met, reason: decision.reason, status: decision.response.status, missing };
  }
  const { subject } = decision;
  const needed = neededAt(method, path);
  if (!needed)
    return { ...met, user: subject?.name, missing: [{ what: 'route', says: `${method} ${path} is no route: 404` }] };
  return { ...met, user: subject?.name, ...(await explainRoute(parts, needed, subject, isOwn)) };
}

function refusedBy(
  { reason }: Extract<Decision, { readonly granted: false }>,
  step: NonNullable<Explanation['step']>,
  isOwn: boolean,
): Missing {
  if (isOwn) return { what: 'filter', says: `The filters refuse the request: ${reason}` };
  const name = step.find(({ answer }) => answer === 'refuse')?.name;
  if (name !== undefined) return { what: 'filter', name, says: `The filter ${name} refuses the request: ${reason}` };
  return { what: 'filter', says: `No filter accepts the request: ${reason}` };
}

/** Needs of routes that are no role. */
export const openTo: readonly string[] = ['nothing', 'any caller'];

async function explainRoute(
  parts: Explaining,
  needed: Needed,
  subject: Subject | undefined,
  isOwn: boolean,
): Promise<Explanation> {
  const { route, role, also, or, besides, isDangerous } = needed;
  const needs = [role, also ?? []].flat().join(', ');
  if (!subject) return { route, needs };
  const roles = await missingRoles(parts, needed, subject, isOwn);
  const misplaced = await refusalOf(() => needed.checkPath(subject));
  const hasRole = roles.length === 0 && misplaced === undefined;
  // As the route does: who lacks the role learns nothing about entities.
  const levels = subject.user && (hasRole || !isOwn) ? await levelsOf(parts, needed, subject, isOwn) : [];
  const refusal = hasRole && subject.user ? await entityRefusal(needed, subject, parts) : undefined;
  const short = levels.filter(({ granted }) => granted !== true).map(missingLevel);
  const lack = await subject.lacks({ isPasswordAlone: true, isDangerous: false, came: parts.now() });
  return {
    ...{
      route,
      needs,
      allowed: hasRole && refusal === undefined,
      entity: refusal,
      level: levels.filter(({ granted }) => granted !== undefined),
    },
    missing: [
      ...roles,
      ...(misplaced ? [{ what: 'path', says: misplaced.explanation ?? misplaced.reason } as const] : []),
      ...short,
      ...(refusal && short.length === 0
        ? [{ what: 'entity', says: refusal.explanation ?? refusal.reason } as const]
        : []),
    ],
    note: [
      ...(or ? [`The role ${or.role} is enough for ${or.for}`] : []),
      ...(besides === undefined ? [] : [`The caller must also have ${besides}`]),
      ...(lack ? ['A password alone is refused here: a second step follows it, or an access key stands for it'] : []),
      ...(isDangerous ? ['A session must have a recent login, unless PORTICO_SECOND_FACTOR is off'] : []),
    ],
  };
}

async function missingRoles(
  { directory, reader }: Explaining,
  { role, also, or, self }: Needed,
  subject: Subject,
  isOwn: boolean,
): Promise<readonly Missing[]> {
  const isSelf = self !== undefined && self.name === subject.name;
  const wanted = isSelf ? [self.role ?? []].flat() : [role, also ?? []].flat();
  if (or && !isSelf && (await subject.has(or.role))) return [];
  const missing: Missing[] = [];
  for (const name of wanted) {
    if (openTo.includes(name) || (await subject.has(name))) continue;
    // Names of other groups are for administrators.
    const group = isOwn ? [] : await directory.groupsWith(reader(''), name);
    const givers = group.length === 0 ? '' : `. Groups that give it: ${group.join(', ')}`;
    missing.push({
      what: 'role',
      name,
      group,
      says: `The role ${name}: no group of ${subject.name} gives it${givers}`,
    });
  }
  return missing;
}

async function levelsOf(parts: Explaining, { levels }: Needed, subject: Subject, isOwn: boolean): Promise<Level[]> {
  const { id, name } = subject.user!;
  const readsEntries = !isOwn || (await subject.has('_accesscontrol_read'));
  const explained: Level[] = [];
  for (const wanted of levels) {
    const { kind, level, operation } = wanted;
    const grounds = await parts.explainLevel(parts.reader(''), { id, name }, wanted);
    const shown = { kind, id: grounds?.id ?? wanted.name, level, operation };
    if (!grounds) explained.push({ ...shown, granted: undefined });
    else if (readsEntries && (grounds.mayRead || !isOwn)) {
      const { granted, permission, reason, owner, entry } = grounds;
      explained.push({ ...shown, granted, permission, reason, owner, entry: [...entry] });
    } else explained.push({ ...shown, id: wanted.name, granted: grounds.granted });
  }
  return explained;
}

function missingLevel({ kind, id, level, operation, granted, permission, reason, owner }: Level): Missing {
  const name = `${kind} ${id}`;
  if (granted === undefined) return { what: 'entity', name, says: `The ${name} is not there` };
  const wanted = `${level}${operation === undefined ? '' : ` for ${operation}`} on the ${name}`;
  const own = permission === undefined || permission === 'NONE' ? '' : ` (has ${permission})`;
  const why = reason ?? 'no access entry gives it';
  const whose = owner === undefined ? '' : `. The owner is ${owner}`;
  return { what: 'level', name, says: `${wanted}${own}: ${why}${whose}` };
}

/** Refusal of an entity of the path, as the route would give it to the subject. */
function entityRefusal({ findEntities }: Needed, subject: Subject, parts: Explaining): Promise<Explanation['entity']> {
  const actor = { user: subject.name };
  const refuseCommit = () => Promise.reject(new Error('Expected an explanation to change nothing'));
  return refusalOf(() =>
    findEntities({
      ...{ subject, came: parts.now(), actor: () => actor, commit: refuseCommit, change: changeAsCaller },
      reader: parts.reader(subject.name),
    }),
  );
}

async function refusalOf(check: () => Maybe<unknown>): Promise<Explanation['entity']> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status, code: reason, detail } = error;
    return { status, reason, explanation: detail.explanation };
  }
}

interface RealmFindings {
  readonly known: NonNullable<Explanation['known']>;
  readonly silent: readonly string[];
  readonly login: LoginAnswer;
}

/**
 * Asks the realms in order, without a login. If some can only tell by a login, an unknown user is assumed to be known
 * to them.
 */
async function whoKnows({ realms, directory }: Explaining, user: string): Promise<RealmFindings> {
  const users = directory.open({});
  const host = { users: { find: async (name: string) => users.find(name) } };
  const accounts: { readonly realm: string; readonly account: Account }[] = [];
  const silent: string[] = [];
  for (const { name, realm } of realms) {
    if (!realm.describe) silent.push(name);
    const account = await realm.describe?.(user, host);
    if (account) accounts.push({ realm: name, account });
  }
  const realmUsers = accounts.map(({ realm, account }) => ({
    realm,
    role: [...(account.roles ?? [])],
    permission: [...(account.permissions ?? [])],
  }));
  const [first] = accounts;
  if (first) return { known: realmUsers, silent, login: { accepted: true, account: first.account } };
  if (silent.length > 0) return { known: realmUsers, silent, login: { accepted: true, account: { name: user } } };
  return { known: realmUsers, silent, login: { accepted: false, reason: 'unknown-user' } };
}

function wordsOf(answer: Verdict | 'skipped') {
  if (answer === 'skipped') return { answer: 'skipped' } as const;
  if (answer.verdict === 'refuse') {
    return { answer: 'refuse', reason: answer.reason, status: answer.response.status } as const;
  }
  return answer.verdict === 'accept'
    ? ({ answer: 'accept', user: answer.account.name } as const)
    : ({ answer: 'pass' } as const);
}
