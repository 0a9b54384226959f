import type { Description } from '../documents/index.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';
import { administrator } from '../security/subject.ts';
import { type Call, caller } from './call.ts';
import type { MediaType } from './negotiation.ts';
import type { ParameterTable, QueryOf } from './parameters/index.ts';
import type { Reply } from './reply.ts';

/** Who may use a route: passes, or throws the refusal. */
export type Access = (call: Call, params: Params) => Maybe<void>;

/** The parts of the path that a route names: `/user/:name`. */
export type Params = Readonly<Record<string, string>>;

/**
 * What a route lets a caller do that only acts for its user: the caller has the right `_runas`, not the rights of that
 * user for good. `refused`: what the route writes would last longer than the right to act. `partly`: the rule of the
 * route decides by what changes. A function refuses some targets, for example every account but that of the user.
 */
export type Acting = 'allowed' | 'refused' | 'partly' | Access;

/** A body: a document by its description, or a form that has none. `bytes` may be a stream. */
export type BodyForm = Description | 'text' | 'bytes' | 'nothing';
export type AnswerForm = BodyForm | 'events';

/** The query of a route that declares none. */
export type NoQuery = Readonly<Record<never, never>>;

interface AnyRoute<Q extends ParameterTable> {
  readonly path: string;
  /** One sentence for readers of the API: what the route does. */
  readonly says: string;
  readonly access: Access;
  /** The query and matrix parameters that it reads. Others are accepted and named in `portico-ignored`. */
  readonly query?: Q;
  /** The bodies that it takes; several when the caller may choose. Nothing when it is left out. */
  readonly reads?: BodyForm | readonly BodyForm[];
  /** The bodies that it answers with. Nothing when it is left out. */
  readonly answers?: AnswerForm | readonly AnswerForm[];
  /** The media types of its answers, the first when the caller does not care. Empty: it answers without a body. */
  readonly produces: readonly MediaType[];
  handle(call: Call<QueryOf<Q>>, type: MediaType, params: Params): Maybe<Reply>;
}

interface ReadingRoute<Q extends ParameterTable> extends AnyRoute<Q> {
  readonly method: 'GET';
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

export const anybody: Access = () => undefined;

export const anyCaller: Access = (call) => {
  caller(call);
};

export const role =
  (name: string): Access =>
  async (call) => {
    if (!(await caller(call).has(name))) throw roleMissing(name);
  };

/** The user that the path names, or whoever has the role. */
export const roleOrSelf =
  (name: string, param: string): Access =>
  async (call, params) => {
    const subject = caller(call);
    if (subject.name !== params[param] && !(await subject.has(name))) throw roleMissing(name);
  };

/** An administrator, or the user that the path names when it has the role. */
export const administratorOrSelfWith =
  (name: string, param: string): Access =>
  async (call, params) => {
    const subject = caller(call);
    const needed = subject.name === params[param] ? name : administrator;
    if (!(await subject.has(needed))) throw roleMissing(needed);
  };

export function roleMissing(name: string): ServiceError {
  return new ServiceError('role-missing', { context: 'role', id: name, explanation: `Expected the role ${name}` });
}
