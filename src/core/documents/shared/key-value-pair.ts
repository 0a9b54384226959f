import { element, string, structure } from '../describe.ts';

export const pair = structure('KeyValuePairType', { key: element(string).required, value: element(string).required });
