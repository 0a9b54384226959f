import { ServiceError } from '../../core/lib/errors.ts';

/** JSON Schema of the values, for the descriptions of the API. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly items?: ParameterSchema;
}

/** Query or matrix parameter of a route, for `readQuery` and the descriptions of the API. */
export interface Parameter<T = unknown> {
  /** Description in one sentence, for readers of the API. */
  readonly says: string;
  readonly schema: ParameterSchema;
  /** Default if the parameter is missing or empty: clients send `?first=` for the default. */
  readonly usual: T;
  /** Whether a request without it is refused. */
  readonly required: boolean;
  /** `repeated`: may occur several times. `commas`: may also have several values, separated by commas. */
  readonly list: false | 'repeated' | 'commas';
  /** Refusal of an invalid value: `Expected …`. */
  readonly expected: string;
  /** Parses a value. Undefined if it is invalid. */
  read(text: string): unknown;
}

/** Parameters of a route, by name. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

/** Parsed parameters by name, with the types of their declarations. */
export type QueryOf<Q extends ParameterTable> = {
  readonly [K in keyof Q]: Q[K] extends Parameter<infer T> ? T : never;
};

export function badParameter(name: string, explanation: string, value?: string): ServiceError {
  const detail = value === undefined ? {} : { value: value.slice(0, 80) };
  return new ServiceError('bad-parameter', { context: 'parameter', id: name.slice(0, 80), explanation, ...detail });
}
