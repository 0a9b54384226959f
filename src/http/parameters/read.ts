import type { Ends } from '../../core/lib/ends.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Parameters } from '../../security/parameters.ts';

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
  readonly defaultValue: T;
  /** Whether a request without it is refused. */
  readonly required: boolean;
  /** `repeated`: may occur several times. `commas`: may also have several values, separated by commas. */
  readonly list: false | 'repeated' | 'commas';
  /** Refusal of an invalid value: `Expected …`. */
  readonly expected: string;
  /** Set if the parameter ends. */
  readonly ends?: Ends;
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

/** Reads all parameters that a route declares, before its handler runs. A value that cannot be read is refused. */
export function readQuery<Q extends ParameterTable>(table: Q, parameters: Parameters): QueryOf<Q> {
  const query: Record<string, unknown> = {};
  for (const name of Object.keys(table)) query[name] = readParameter(name, table[name]!, parameters);
  return query as QueryOf<Q>;
}

function readParameter(name: string, parameter: Parameter, parameters: Parameters): unknown {
  const values = parameter.list ? parameters.all(name) : single(parameters.get(name));
  // Routes declare many, and callers send few.
  if (values.length === 0 && !parameter.required) return parameter.defaultValue;
  const filled = spread(parameter, values).filter((value) => value !== '');
  if (filled.length === 0) {
    if (parameter.required) throw badParameter(name, parameter.expected);
    return parameter.defaultValue;
  }
  const read = filled.map((value) => {
    const one = parameter.read(value);
    if (one === undefined) throw badParameter(name, parameter.expected, value);
    return one;
  });
  return parameter.list ? read : read[0];
}

function spread({ list }: Parameter, values: readonly string[]): readonly string[] {
  if (list === 'repeated') return values;
  return (list === 'commas' ? values.flatMap((value) => value.split(',')) : values).map((value) => value.trim());
}

const none: readonly string[] = [];
const single = (value: string | undefined): readonly string[] => (value === undefined ? none : [value]);
