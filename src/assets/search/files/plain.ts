import { type FieldName, type FileOrder, type FileSearch, fieldNames, sortFields } from '../../../storage/public.ts';
import type { ItemSearch, SearchField, SearchSort } from '../documents/search.ts';

/** Search by columns of files only, which the efficient plans of file lists can answer. Undefined: other criteria. */
export function plainSearchOf({ text = [], field = [], sort = [], ...rest }: ItemSearch): FileSearch | undefined {
  if (Object.entries(rest).some(([name, value]) => name !== 'version' && value !== undefined)) return undefined;
  if (text.some(({ value, noescape }) => noescape || !value)) return undefined;
  const fields = field.map(fieldOf);
  const orders = sort.map(orderOf);
  if (fields.includes(undefined) || orders.includes(undefined) || orders.length > 1) return undefined;
  const named = fields.filter((each) => each !== undefined);
  if (new Set(named.map(({ name }) => name)).size < named.length) return undefined;
  return { text: text.map(({ value }) => value!), field: named, sort: orders.filter((each) => each !== undefined) };
}

function fieldOf({ name, value = [], range = [], target = 'file' }: SearchField) {
  const column = nameOf(name);
  if (column === undefined || range.length > 0 || value.length === 0 || target !== 'file') return undefined;
  const isPlain = value.every((each) => each.value && each.value.trim() !== '*' && !each.noescape);
  if (!isPlain || value.some(({ minimum, maximum }) => minimum || maximum)) return undefined;
  return { name: column, values: value.map((each) => each.value!) };
}

function nameOf(given: string): FieldName | undefined {
  const name = given.replace(/^file\./, '').toLowerCase();
  return name === 'id' ? 'fileId' : fieldNames.find((each) => each.toLowerCase() === name);
}

function orderOf({ field, order = 'ascending' }: SearchSort): FileOrder | undefined {
  const name = sortFields.find((each) => each.toLowerCase() === field.toLowerCase());
  const direction = order.trim().toLowerCase();
  if (name === undefined || (direction !== 'ascending' && direction !== 'descending')) return undefined;
  return { field: name, descending: direction === 'descending' };
}
