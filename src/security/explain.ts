import type { Explanation } from '../core/documents/index.ts';
import { textToBase64 } from '../core/lib/bytes.ts';
import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Store } from '../core/store/store.ts';
import type { Account, LoginAnswer, Verdict } from '../spi/index.ts';
import { type Caller, changeAsCaller } from './caller.ts';
import type { NamedRealm } from './ini/security-parts.ts';
import { canonicalTarget, type TakesOpaque } from './path.ts';
import type { Pipeline } from './pipeline.ts';
import { administrator, type Directory, type Subject } from './subject.ts';

export interface Question {
  readonly method: string;
  /** Request target as sent. */
  readonly target: string;
  /** User whose request is explained, assumed to be authenticated. Undefined: an anonymous request. */
  readonly user: string | undefined;
}

/** Rights that a route requires. */
export interface Needed {
  /** Method and path, such as `GET /user/:name`. */
  readonly route: string;
  readonly role: string;
  /** Second role that the route requires. */
  readonly also?: string | undefined;
  /** User named by the path, who may use the route, too. */
  readonly self?: string | undefined;
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
  readonly reader: Store['reader'];
  neededAt(method: string, path: string): Needed | undefined;
}

/** The chain that a request would meet, what each filter would answer, and why. Nothing is carried out. */
export async function explainRequest(parts: Explaining, { method, target, user }: Question): Promise<Explanation> {
  const { pipeline, takesOpaque, neededAt } = parts;
  const { path, rawPath, query } = canonicalTarget(target, takesOpaque);
  const chain = pipeline.chainOf(path);
  const step: NonNullable<Explanation['step']>[number][] = [];
  const realmsOfUser = user === undefined ? undefined : await whoKnows(parts, user);
  // Dummy credentials, because filters read them. They are assumed to be valid.
  const authorization = user === undefined ? null : `Basic ${textToBase64(`${user}:assumed`)}`;
  const headers = new Headers({ host: 'localhost', ...(authorization === null ? {} : { authorization }) });
  const login = (): LoginAnswer => realmsOfUser?.login ?? { accepted: false, reason: 'nobody-asked' };
  const request = { method, path, rawPath, query, headers, authorization, arrival: { address: '127.0.0.1' } };
  const decision = await pipeline.trace(request, login, ({ name }, answer) => step.push({ name, ...wordsOf(answer) }));
  const needed = neededAt(method, path);
  const subject = decision.granted ? decision.subject : undefined;
  const hasRole = needed && subject && (needed.self === subject.name || (await mayUse(needed, subject)));
  const entity = hasRole && subject.user ? await entityRefusal(needed, subject, parts) : undefined;
  return {
    method,
    path,
    pattern: chain?.pattern,
    line: chain?.line,
    file: chain?.line ? parts.file : undefined,
    step,
    granted: decision.granted,
    ...(decision.granted ? { user: subject?.name } : { reason: decision.reason, status: decision.response.status }),
    ...(realmsOfUser && { known: realmsOfUser.known, silent: realmsOfUser.silent }),
    ...(subject?.user && { role: [...(await subject.roles())].sort() }),
    ...(needed && { route: needed.route, needs: [needed.role, needed.also ?? []].flat().join(', ') }),
    ...(hasRole !== undefined && { allowed: hasRole && entity === undefined, entity }),
  };
}

const openTo: readonly string[] = ['nothing', 'any caller'];
const mayUse = async ({ role, also }: Needed, subject: Pick<Subject, 'has'>): Promise<boolean> =>
  openTo.includes(role) || ((await subject.has(role)) && (also === undefined || subject.has(also)));

/** Refusal of an entity of the path, as the route would give it to the subject. */
async function entityRefusal(
  { findEntities }: Needed,
  subject: Subject,
  parts: Explaining,
): Promise<Explanation['entity']> {
  const actor = { user: subject.name };
  const refuseCommit = () => Promise.reject(new Error('Expected an explanation to change nothing'));
  try {
    await findEntities({
      ...{ subject, came: parts.now(), actor: () => actor, commit: refuseCommit, change: changeAsCaller },
      reader: parts.reader(subject.name),
    });
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

/** Text of an explanation for people. */
export function explanationText(explanation: Explanation): string {
  const { method, path, pattern, line, file, step = [], granted, user, reason, status } = explanation;
  const lines = [
    `${method} ${path}`,
    pattern === undefined
      ? 'No chain matches: refused'
      : `Chain ${pattern}${line ? ` (line ${line} of ${file})` : ' (built in)'}`,
    ...step.map((each) =>
      [`  ${each.name}: ${each.answer}`, each.user, each.reason, each.status]
        .filter((part) => part !== undefined)
        .join(' '),
    ),
    ...userLines(explanation),
    granted ? `Granted to ${user ?? 'anybody'}` : `Refused: ${status} ${reason}`,
    ...routeLines(explanation),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function userLines({ known, silent = [], role = [] }: Explanation): string[] {
  if (!known) return [];
  const grants = (what: string, names: readonly string[] = []) =>
    names.length > 0 ? [`${what} ${names.join(', ')}`] : [];
  return [
    ...known.map(({ realm, role, permission }) =>
      [`Known to ${realm}`, ...grants('roles for filters', role), ...grants('permissions', permission)].join('; '),
    ),
    ...(known.length === 0 ? ['Known to no realm that was asked'] : []),
    ...grants('Roles in the service:', role.includes(administrator) ? [`${administrator}, which implies all`] : role),
    ...(silent.length > 0 ? [`Not asked, because only a login would tell: ${silent.join(', ')}`] : []),
  ];
}

function routeLines({ granted, user, route, needs, allowed, entity }: Explanation): string[] {
  if (!granted) return [];
  if (route === undefined) return ['No route: 404'];
  const refusal = entity && `Refused by an entity of the path: ${entity.status} ${entity.reason}`;
  const lastLine = refusal === undefined ? [] : [[refusal, entity?.explanation ?? []].flat().join('. ')];
  if (needs === undefined || openTo.includes(needs)) return [`Route ${route}`, ...lastLine];
  const verdict = allowed === undefined ? '' : `: ${user} ${allowed || entity ? 'may use it' : 'lacks it, 403'}`;
  return [`Route ${route} asks for the role ${needs}${verdict}`, ...lastLine];
}
