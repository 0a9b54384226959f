import { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';
import { administrator } from '../security/subject.ts';
import { type Call, caller } from './call.ts';
import type { MediaType } from './negotiation.ts';
import type { Reply } from './reply.ts';

/** Who may use a route: passes, or throws the refusal. */
export type Access = (call: Call, params: Params) => Maybe<void>;

/** The parts of the path that a route names: `/user/:name`. */
export type Params = Readonly<Record<string, string>>;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** The forms it answers in, the first when the caller does not care. Empty: it answers without a body. */
  readonly produces: readonly MediaType[];
  handle(call: Call, type: MediaType, params: Params): Maybe<Reply>;
}

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
