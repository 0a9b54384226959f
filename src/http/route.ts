import type { Description } from '../documents/index.ts';
import { ServiceError } from '../lib/errors.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import { administrator } from '../security/subject.ts';
import { type Call, caller } from './call.ts';
import type { MediaType } from './negotiation.ts';
import type { ParameterTable, QueryOf } from './parameters/index.ts';
import type { Reply } from './reply.ts';

/** Passes, or throws the refusal. */
export type Check = (call: Call, params: Params) => Maybe<void>;

/** What a route asks of its caller. The OpenAPI document, the reference and the role matrix of the tests tell it. */
export interface Needs {
  /** `nothing`: also without credentials. `any caller`: valid credentials. Otherwise a role. */
  readonly role: 'nothing' | 'any caller' | (string & {});
  /** The user that this parameter of the path names may use the route too, with this role if there is one. */
  readonly orSelf?: { readonly param: string; readonly role?: string };
  /** One more role that the caller must have. */
  readonly also?: string;
  /** What the caller shows besides, as words that follow "the caller has". */
  readonly besides?: string;
}

/** Who may use a route, as a check and as what it says of itself: a check without its words does not compile. */
export type Access = Check & { readonly needs: Needs };

/** The parts of the path that a route names: `/user/:name`. */
export type Params = Readonly<Record<string, string>>;

/**
 * What a route lets a caller do that only acts for its user. Such a caller has the right `_runas`, and not the rights
 * of that user for good. `refused`: what the route writes would last longer than the right to act. `partly`: the rule
 * of the route decides by what changes. A function refuses some targets, for example every account but that of the
 * user.
 */
export type Acting = 'allowed' | 'refused' | 'partly' | Check;

/**
 * A body: a document by its description, or a form that has none. `xml`: a document whose root element says which one.
 * `bytes` may be a stream.
 */
export type BodyForm = Description | 'xml' | 'text' | 'bytes' | 'nothing';
export type AnswerForm = BodyForm | 'events';

/** What a route reads or answers, as a list. */
export const listed = <T extends AnswerForm>(forms: T | readonly T[] | undefined): readonly T[] =>
  forms === undefined ? [] : isList(forms) ? forms : [forms];
const isList = <T>(forms: T | readonly T[]): forms is readonly T[] => Array.isArray(forms);

/** The query of a route that declares none. */
export type NoQuery = Readonly<Record<never, never>>;

interface AnyRoute<Q extends ParameterTable> {
  readonly path: string;
  /** One sentence for readers of the API: what the route does. */
  readonly says: string;
  readonly access: Access;
  /** The query and matrix parameters that it reads. Others are accepted and named in `portico-ignored`. */
  readonly query?: Q;
  /** What parameters of any other name mean, in one sentence. Then none is named in `portico-ignored`. */
  readonly otherNames?: string;
  /** Its path is there for its method alone: by other methods nothing is found. */
  readonly aside?: true;
  /** The bodies that it takes; several when the caller may choose. Nothing when it is left out. */
  readonly reads?: BodyForm | readonly BodyForm[];
  /** The bodies that it answers with. Nothing when it is left out. */
  readonly answers?: AnswerForm | readonly AnswerForm[];
  /** The media types of its answers, the first when the caller does not care. Empty: it answers without a body. */
  readonly produces: readonly MediaType[];
  handle(call: Call<QueryOf<Q>>, type: MediaType, params: Params): Maybe<Reply>;
}

interface ReadingRoute<Q extends ParameterTable> extends AnyRoute<Q> {
  /** `OPTIONS` where the answer tells more than the methods. Without a route it is answered like everywhere. */
  readonly method: 'GET' | 'OPTIONS';
  /** Only a route that makes or reveals credentials needs an answer. */
  readonly acting?: Acting;
}

/** Without an answer for a caller that only acts, a new route does not compile. */
interface WritingRoute<Q extends ParameterTable> extends AnyRoute<Q> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly acting: Acting;
}

/** A route as the house keeps it. A table of them is what the API says of itself. */
export type Route<Q extends ParameterTable = ParameterTable> = ReadingRoute<Q> | WritingRoute<Q>;

/** Gives the handler of a route the types of the parameters that the route declares. */
export const route = <const Q extends ParameterTable = NoQuery>(row: Route<Q>): Route => row as Route;

/** Takes a function that no other access has: its words stay with it. */
export const access = (needs: Needs, check: Check): Access => Object.assign(check, { needs });

export const anybody = access({ role: 'nothing' }, () => undefined);

export const anyCaller = access({ role: 'any caller' }, (call) => {
  caller(call);
});

export const role = (name: string): Access =>
  access({ role: name }, (call) => after(caller(call).has(name), (has) => requireRole(has, name)));

/** For a caller with both roles. */
export const bothRoles = (name: string, also: string): Access =>
  access({ role: name, also }, async (call) => {
    for (const each of [name, also]) if (!(await caller(call).has(each))) throw roleMissing(each);
  });

/** The user that the path names, or a caller with the role. */
export const roleOrSelf = (name: string, param: string): Access =>
  access({ role: name, orSelf: { param } }, (call, params) => {
    const subject = caller(call);
    return after(subject.name === params[param] || subject.has(name), (has) => requireRole(has, name));
  });

/** An administrator, or the user that the path names when it has the role. */
export const administratorOrSelfWith = (name: string, param: string): Access =>
  access({ role: administrator, orSelf: { param, role: name } }, async (call, params) => {
    const subject = caller(call);
    const needed = subject.name === params[param] ? name : administrator;
    if (!(await subject.has(needed))) throw roleMissing(needed);
  });

function requireRole(has: boolean, name: string): void {
  if (!has) throw roleMissing(name);
}

export function roleMissing(name: string): ServiceError {
  return new ServiceError('role-missing', { context: 'role', id: name, explanation: `Expected the role ${name}` });
}
