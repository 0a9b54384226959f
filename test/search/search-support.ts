import { by, json } from '../assets/asset-support.ts';
import { admin, type Credentials } from '../support/service.ts';

/** Items and fields as the tests of searches make them. */

type Values = Readonly<Record<string, string | readonly string[]>>;

export const fieldsOf = (values: Values) =>
  Object.entries(values).map(([name, given]) => ({ name, value: [given].flat().map((value) => ({ value })) }));

export const item = (values: Values, more: object = {}, as: Credentials = admin) =>
  by(
    'POST /API/import/placeholder',
    { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf(values), ...more }] },
    json,
    as,
  );

export const field = (name: string, type: string, more: object = {}) =>
  by(`PUT /API/metadata-field/${name}`, { type, ...more });
