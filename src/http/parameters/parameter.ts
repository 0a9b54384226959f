import { ServiceError } from '../../lib/errors.ts';

/** What the descriptions of the API say of the values: a part of JSON Schema. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly items?: ParameterSchema;
}

/** One query or matrix parameter of a route, as `readQuery` reads it and the descriptions of the API print it. */
export interface Parameter<T = unknown> {
  /** One sentence for readers of the API. */
  readonly says: string;
  readonly schema: ParameterSchema;
  /** The value where the caller sends none, or an empty one: clients send `?first=` for no wish. */
  readonly usual: T;
  /** A request without it is refused. */
  readonly required: boolean;
  /** `repeated`: each time the parameter is sent. `commas`: the same, and each value is split at its commas. */
  readonly list: false | 'repeated' | 'commas';
  /** The refusal of a value that cannot be read: `Expected …`. */
  readonly expected: string;
  /** One value; undefined when it cannot be read. */
  read(text: string): unknown;
}

/** The parameters of a route, by name. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

/** What a handler gets: each parameter by name, with the type that its declaration gives. */
export type QueryOf<Q extends ParameterTable> = {
  readonly [K in keyof Q]: Q[K] extends Parameter<infer T> ? T : never;
};

export function badParameter(name: string, explanation: string, value?: string): ServiceError {
  const found = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-parameter', { context: 'parameter', id: name.slice(0, 80), explanation, ...found });
}
