import type { Description } from '../documents/index.ts';
import { ServiceError } from '../lib/errors.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import { subjectOf } from '../security/caller.ts';
import { administrator } from '../security/subject.ts';
import type { Call } from './call.ts';
import type { MediaType } from './negotiation.ts';
import type { ParameterTable, QueryOf } from './parameters/index.ts';
import type { Reply } from './reply.ts';

/** Check of a request. Throws the refusal. */
export type Check = (call: Call, params: Params) => Maybe<void>;

/** Rights that a route requires, for the OpenAPI document, the reference and the role matrix of the tests. */
export interface Needs {
  /** `nothing`: public. `any caller`: valid credentials. Otherwise a role. */
  readonly role: 'nothing' | 'any caller' | (string & {});
  /** Name of the path parameter whose user may also use the route, with this role if there is one. */
  readonly orSelf?: { readonly param: string; readonly role?: string };
  /** Additional role that the caller must have. */
  readonly also?: string;
  /** Further requirement, in words that follow "the caller has". */
  readonly besides?: string;
}

/** Access check of a route with its description. The type forbids a check without a description. */
export type Access = Check & { readonly needs: Needs };

/** The segments of a path that have a name: `{ name: string }` of `/user/:name`. A path with a variable beginning has any. */
export type Params<Path extends string = string> = {
  readonly [Name in SegmentNames<Path>]: string;
} & (Path extends `/${string}` ? unknown : Readonly<Record<string, string>>);

type SegmentNames<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Segment}/${infer Below}`
    ? SegmentName<Segment> | SegmentNames<`/${Below}`>
    : SegmentName<Rest>
  : never;

/** A segment of a path that the caller of this function knows. */
export function segment(params: Params, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`Expected a path with ":${name}"`);
  return value;
}

/** Without the form of the segment, as in `:path{opaque}`. */
type SegmentName<Segment extends string> = Segment extends `${infer Name}{${string}` ? Name : Segment;

/**
 * Permission for callers that only act for their user. Such a caller has the right `_runas`, and not the rights of that
 * user for good. `refused`: what the route writes would outlast the right to act. `partly`: the rule of the route
 * decides by the changed values. A function refuses some targets, for example every account but that of the user.
 */
export type Acting = 'allowed' | 'refused' | 'partly' | Check;

/**
 * Format of a body: a document by its description, or another format. `xml`: a document, identified by its root
 * element. `bytes` may be a stream.
 */
export type BodyForm = Description | 'xml' | 'text' | 'bytes' | 'nothing';
export type AnswerForm = BodyForm | 'events';

/** Body formats of a route, as a list. */
export const listed = <T extends AnswerForm>(forms: T | readonly T[] | undefined): readonly T[] =>
  forms === undefined ? [] : isList(forms) ? forms : [forms];
const isList = <T>(forms: T | readonly T[]): forms is readonly T[] => Array.isArray(forms);

/** Query of a route without parameters. */
export type NoQuery = Readonly<Record<never, never>>;

interface AnyRoute<Q extends ParameterTable, P extends string> {
  readonly path: P;
  /** Summary of the route in one sentence, for readers of the API. */
  readonly says: string;
  readonly access: Access;
  /** Declared query and matrix parameters. Others are accepted and named in `portico-ignored`. */
  readonly query?: Q;
  /** Meaning of parameters with other names, in one sentence. They are not named in `portico-ignored` then. */
  readonly otherNames?: string;
  /** Set if the path exists only for this method: other methods get 404 instead of 405. */
  readonly aside?: true;
  /** Accepted bodies. Default: none. */
  readonly reads?: BodyForm | readonly BodyForm[];
  /** Bodies of its answers. Default: none. */
  readonly answers?: AnswerForm | readonly AnswerForm[];
  /** Media types of its answers, the default first. Empty: answers without a body. */
  readonly produces: readonly MediaType[];
  handle(call: Call<QueryOf<Q>>, type: MediaType, params: Params<P>): Maybe<Reply>;
}

interface ReadingRoute<Q extends ParameterTable, P extends string> extends AnyRoute<Q, P> {
  /** `OPTIONS` where the answer tells more than the methods. Without a route it is answered like everywhere. */
  readonly method: 'GET' | 'OPTIONS';
  /** Only a route that makes or reveals credentials needs an answer. */
  readonly acting?: Acting;
}

/** Without an answer for a caller that only acts, a new route does not compile. */
interface WritingRoute<Q extends ParameterTable, P extends string> extends AnyRoute<Q, P> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly acting: Acting;
}

/** Route in its stored form. The descriptions of the API are made of a table of routes. */
export type Route<Q extends ParameterTable = ParameterTable, P extends string = string> =
  | ReadingRoute<Q, P>
  | WritingRoute<Q, P>;

/** Gives the handler of a route the types of its path and of the parameters that the route declares. */
export const route = <const P extends string, const Q extends ParameterTable = NoQuery>(row: Route<Q, P>): Route =>
  row as unknown as Route;

/** Takes a function that no other access has: its words stay with it. */
export const access = (needs: Needs, check: Check): Access => Object.assign(check, { needs });

export const anybody = access({ role: 'nothing' }, () => undefined);

export const anyCaller = access({ role: 'any caller' }, (call) => {
  subjectOf(call);
});

export const role = (name: string): Access =>
  access({ role: name }, (call) => after(subjectOf(call).has(name), (has) => requireRole(has, name)));

/** For a caller with both roles. */
export const bothRoles = (name: string, also: string): Access =>
  access({ role: name, also }, async (call) => {
    for (const each of [name, also]) if (!(await subjectOf(call).has(each))) throw roleMissing(each);
  });

/** The user that the path names, or a caller with the role. */
export const roleOrSelf = (name: string, param: string): Access =>
  access({ role: name, orSelf: { param } }, (call, params) => {
    const subject = subjectOf(call);
    return after(subject.name === params[param] || subject.has(name), (has) => requireRole(has, name));
  });

/** An administrator, or the user that the path names when it has the role. */
export const administratorOrSelfWith = (name: string, param: string): Access =>
  access({ role: administrator, orSelf: { param, role: name } }, async (call, params) => {
    const subject = subjectOf(call);
    const needed = subject.name === params[param] ? name : administrator;
    if (!(await subject.has(needed))) throw roleMissing(needed);
  });

function requireRole(has: boolean, name: string): void {
  if (!has) throw roleMissing(name);
}

export function roleMissing(name: string): ServiceError {
  return new ServiceError('role-missing', { context: 'role', id: name, explanation: `Expected the role ${name}` });
}
