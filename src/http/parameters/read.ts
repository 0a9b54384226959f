import type { Parameters } from '../../security/parameters.ts';
import { badParameter, type Parameter, type ParameterTable, type QueryOf } from './parameter.ts';

/** Reads all parameters that a route declares, before its handler runs. A value that cannot be read is refused. */
export function readQuery<Q extends ParameterTable>(table: Q, parameters: Parameters): QueryOf<Q> {
  const query: Record<string, unknown> = {};
  for (const name of Object.keys(table)) query[name] = readParameter(name, table[name]!, parameters);
  return query as QueryOf<Q>;
}

function readParameter(name: string, parameter: Parameter, parameters: Parameters): unknown {
  const values = parameter.list ? parameters.all(name) : single(parameters.get(name));
  // Routes declare many, and callers send few.
  if (values.length === 0 && !parameter.required) return parameter.usual;
  const filled = spread(parameter, values).filter((value) => value !== '');
  if (filled.length === 0) {
    if (parameter.required) throw badParameter(name, parameter.expected);
    return parameter.usual;
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
