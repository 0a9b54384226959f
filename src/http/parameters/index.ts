export { choice, date, flag, list, moment, repeated, text, whole } from './builders.ts';
export { type Page, page, pageOf } from './page.ts';
export { badParameter, type Parameter, type ParameterSchema, type ParameterTable, type QueryOf } from './parameter.ts';
export { readQuery } from './read.ts';
