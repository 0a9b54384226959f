import type { Ends } from '../core/lib/ends.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import type { Statement } from '../core/store/contract.ts';
import { type Caller, subjectOf } from '../security/caller.ts';
import { administrator } from '../security/subject.ts';
import { type AnswersOption, type AnswerValue, answerOf } from './answers.ts';
import type { Call } from './call.ts';
import type { AnswerForm, BodyForm, Raw } from './forms.ts';
import type { MediaType } from './negotiation.ts';
import type { ParameterTable, QueryOf } from './parameters/index.ts';
import type { EntityOf, PathEntities, PathEntity } from './path-entity.ts';
import { type BodyOf, type ReadsOption, readsOf } from './reads.ts';
import { located, notStored, type Reply } from './reply.ts';

export const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Check of a request. Throws the refusal. */
export type AccessCheck = (call: Call, params: Params) => Maybe<void>;

/** Rights that a route requires, for the OpenAPI document, the reference and the role matrix of the tests. */
export interface Needs {
  /** `nothing`: public. `any caller`: valid credentials. Otherwise a role. */
  readonly role: 'nothing' | 'any caller' | (string & {});
  /**
   * Name of the parameter of the path, or of the query, whose user may also use the route, with this role if there is one. Keys of the path that
   * begin with `keys` need no role.
   */
  readonly orSelf?: { readonly param: string; readonly role?: string; readonly keys?: string };
  /** Role that is enough instead of the first one, and for what. */
  readonly or?: { readonly role: string; readonly for: string };
  /** Additional role that the caller must have. */
  readonly also?: string;
  /** Further requirement, in words that follow "the caller has". */
  readonly besides?: string;
}

/** Access check of a route with its description. The type forbids a check without a description. */
export type Access = AccessCheck & { readonly needs: Needs };

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
export function segment(segments: Loose, name: string): string {
  const value = segments[name];
  if (typeof value !== 'string') throw new Error(`Expected a path with ":${name}"`);
  return value;
}

/** Without the form of the segment, as in `:path{opaque}`. */
type SegmentName<Segment extends string> = Segment extends `${infer Name}{${string}` ? Name : Segment;

/**
 * Permission for callers that only act for their user. Such a caller has the right `_runas`, and not the rights of that
 * user for good. `refused`: what the route writes would outlast the right to act. `partly`: the rule of the route
 * decides by the changed values. A function refuses some targets, for example every account but that of the user.
 */
export type Acting = 'allowed' | 'refused' | 'partly' | AccessCheck;

type SuccessStatus = 201 | 204 | 303;

/** Query of a route without parameters. */
export type NoQuery = Readonly<Record<never, never>>;

/** Declarations that every route has. */
interface Common<Q extends ParameterTable, P extends string> {
  readonly path: P;
  /** Summary of the route in one sentence, for readers of the API. */
  readonly says: string;
  readonly access: Access;
  /** Declared query and matrix parameters. Others are accepted and named in `portico-ignored`. */
  readonly query?: Q;
  /** Meaning of parameters with other names, in one sentence. They are not named in `portico-ignored` then. */
  readonly otherNames?: string;
  /** Set if a password is enough for the route, where a second factor follows. */
  readonly beginsLogin?: true;
  /** Set if the route changes what others could come in by: a login that is not recent is repeated. */
  readonly isDangerous?: true;
  /** Set if the route ends. */
  readonly ends?: Ends | undefined;
  /** Set if the path exists only for this method: other methods get 404 instead of 405. */
  readonly isUnlisted?: true;
}

/** Methods that change nothing. `OPTIONS` where the answer tells more than the methods. */
interface Reading {
  readonly method: 'GET' | 'OPTIONS';
  /** Only a route that makes or reveals credentials needs an answer. */
  readonly acting?: Acting;
}

/** Without an answer for a caller that only acts, a new route does not compile. */
interface Writing {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly acting: Acting;
}

/** Route in its stored form. The descriptions of the API are made of a table of routes. */
export type Route = Common<ParameterTable, string> &
  (Reading | Writing) & {
    /** Entities that segments of the path name. */
    readonly entities?: PathEntities | undefined;
    /** Accepted bodies. Default: none. */
    readonly reads?: BodyForm | readonly BodyForm[];
    /** Bodies of its answers. Default: none. */
    readonly answers?: AnswerForm | readonly AnswerForm[];
    /** Media types of its answers, the default first. Empty: answers without a body. */
    readonly produces: readonly MediaType[];
    /** Status of an answer without a body; 201 is that of a body, too. Default: 200. */
    readonly status?: SuccessStatus;
    /** Starts reads of its handler, and of the entities of its path, before anything is known of the caller. */
    ahead?(params: Params): Maybe<unknown>;
    handle(call: Call, params: Params): Maybe<Reply>;
    /** Does the same for a call that has its body, and returns the value that `handle` would render. */
    run?(call: Call, params: Params): Maybe<unknown>;
    /** Whether that value is a `Reply`. */
    readonly isRaw?: boolean;
    /** Finds the entities of the path for a caller, without the handler. Throws the refusal. */
    findEntities?(caller: Caller, params: Params): Maybe<unknown>;
  };

/** Segments of a path for its handler: those that name an entity are the entity, others are text. */
export type Segments<P extends string, E> = { readonly [Name in keyof E]: EntityOf<E[Name]> } & {
  readonly [Name in Exclude<SegmentNames<P>, keyof E>]: string;
} & (P extends `/${string}` ? unknown : keyof E extends never ? Params : Loose);

/** A route as its room writes it. Everything but `handle` is data, and says what callers may rely on. */
type Row<Q extends ParameterTable, P extends string, E, R, A> = Common<Q, P> &
  (Reading | Writing) & {
    /** Segments that name an entity, with the level that the caller needs: `{ item: item('READ') }`. */
    readonly entities?: E;
    /** Body of the request, which the handler gets as `call.body`. Default: none. */
    readonly reads?: R;
    /** Body of the answer, made of what the handler returns. Default: none. */
    readonly answers?: A;
    /** Status of an answer without a body; 201 is that of a body, too. Default: 200. */
    readonly status?: SuccessStatus;
    /** Path of the entity that the route created, for the header `location`. */
    readonly location?: (value: AnswerValue<A>, segments: Segments<P, E>) => readonly string[];
    /** Starts reads of its handler before anything is known of the caller, so that they share the call of its login. */
    readonly ahead?: (params: Params) => Maybe<unknown>;
    /** Set if the answer holds a credential: caches must not store it. */
    readonly noStore?: true;
    /** Types of the command that the route is written over. */
    readonly types?: (value: AnswerValue<A>) => BodyOf<R>;
    handle(call: Call<QueryOf<Q>, BodyOf<R>>, segments: Segments<P, E>): Maybe<AnswerValue<A>>;
  };

export type NoEntities = Readonly<Record<never, never>>;

/** Gives the handler of a route the types of its path, parameters, entities and body. */
export function route<
  const P extends string,
  const Q extends ParameterTable = NoQuery,
  const E extends PathEntities = NoEntities,
  const R extends ReadsOption = undefined,
  const A extends AnswersOption = undefined,
>(row: Row<Q, P, E, R, A>): Route {
  return stored(row as unknown as AnyRow);
}

/** Segments of a path whose type is unknown. */
type Loose = Readonly<Record<string, unknown>>;

/** A row whose types are forgotten. */
type AnyRow = Omit<
  Row<ParameterTable, string, PathEntities, ReadsOption, AnswersOption>,
  'handle' | 'location' | 'types'
> &
  (Reading | Writing) & {
    readonly location?: (value: unknown, segments: Loose) => readonly string[];
    handle(call: Call, segments: Loose): unknown;
  };

/** Every property of a route, so that a new one is not forgotten. */
type Whole = Readonly<Record<keyof Route, unknown>> & Pick<Route, 'ahead' | 'findEntities' | 'handle' | 'run'>;

/** The stored form of a row. A body that cannot be read is refused before entities are looked up. */
function stored(row: AnyRow): Route {
  const { entities = {}, location, noStore, status = 200 } = row;
  const body = readsOf(row.reads);
  const answer = answerOf(row.answers, status);
  const places = Object.entries(entities);
  const changes = row.method !== 'GET' && row.method !== 'OPTIONS';

  function finish(value: unknown, call: Call, segments: Loose): Maybe<Reply> {
    const reply = answer.reply(value, call);
    if (!location && !noStore) return reply;
    return after(reply, (result) => {
      const finished = noStore ? notStored(result) : result;
      return location ? located(finished, call, ...location(value, segments)) : finished;
    });
  }

  /** Raw answers are replies already: routes of the bench spare a promise. */
  const isRaw = typeof row.answers === 'object' && row.answers.kind === 'raw';
  const isReply = isRaw && !location && !noStore;
  const answered = (call: Call, segments: Loose): Maybe<Reply> =>
    isReply
      ? (row.handle(call, segments) as Maybe<Reply>)
      : after(row.handle(call, segments), (value) => finish(value, call, segments));

  const withEntities =
    <T>(then: (call: Call, segments: Loose) => Maybe<T>) =>
    (call: Call, params: Params): Maybe<T> =>
      after(findEntities(places, params, call), (segments) => {
        const guards = changes ? places.flatMap(([name, entity]) => entity.stays?.(segments[name]) ?? []) : [];
        return then(guards.length > 0 ? guarded(call, guards) : call, segments);
      });

  const routed = places.length > 0 ? withEntities(answered) : answered;

  // Each by its name: a spread gives every route a shape of its own, which takes ten times as long.
  return {
    method: row.method,
    path: row.path,
    says: row.says,
    access: row.access,
    acting: row.acting,
    query: row.query,
    otherNames: row.otherNames,
    ends: row.ends,
    isUnlisted: row.isUnlisted,
    beginsLogin: row.beginsLogin,
    isDangerous: row.isDangerous,
    entities: row.entities,
    status: row.status,
    reads: row.reads === undefined ? undefined : (body?.forms ?? (row.reads as Raw<BodyForm>).forms),
    answers: answer.forms.length === 0 ? undefined : answer.forms,
    produces: answer.types,
    ahead: (params) =>
      Promise.all([...places.map(([name, entity]) => entity.ahead?.(segment(params, name))), row.ahead?.(params)]),
    findEntities: (caller, params) => findEntities(places, params, caller),
    isRaw,
    run: places.length > 0 ? withEntities(row.handle) : row.handle,
    handle: (call, params) =>
      body ? after(body.read(call), (value) => routed({ ...call, body: value }, params)) : routed(call, params),
  } satisfies Whole as Route;
}

/** Segments of a path, with its entities in place of their names. Throws the refusal. */
function findEntities(places: readonly (readonly [string, PathEntity])[], params: Loose, caller: Caller): Maybe<Loose> {
  const segments: Record<string, unknown> = {};
  // A spread of the record of the router would make a hash table.
  for (const name in params) segments[name] = params[name];
  const findFrom = (at: number): Maybe<Loose> => {
    const place = places[at];
    if (!place) return segments;
    const [name, entity] = place;
    return after(entity.find(segment(params, name), caller, segments), (row) => {
      segments[name] = row;
      return findFrom(at + 1);
    });
  };
  return findFrom(0);
}

/** A call whose commits begin with guards of the entities of its path. */
const guarded = (call: Call, guards: readonly Statement[]): Call => ({
  ...call,
  commit: (plan) => call.commit({ ...plan, changes: [...guards, ...plan.changes] }),
});

/** Takes a function that no other access has: its words stay with it. */
export const access = (needs: Needs, check: AccessCheck): Access => Object.assign(check, { needs });

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
