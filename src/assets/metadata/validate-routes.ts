import { ServiceError } from '../../core/lib/errors.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import { optional } from '../../http/reads.ts';
import { type Route, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { checkValue, type MetadataSchema, storedSchema } from '../definitions/public.ts';
import { askerOf, type FieldDefinition, loadFields } from '../definitions/public-reading.ts';
import { itemAt } from '../items/contract/entities.ts';
import { isKept } from './allowed.ts';
import { type MetadataDocumentValue, type MetadataGroup, metadataDocument } from './documents.ts';
import { loadMetadata } from './load.ts';
import { metadataRequestInSteps } from './merge/request.ts';
import { itemPlace } from './places.ts';
import { documentsOf, storedView } from './read.ts';
import type { MetadataContext } from './settings.ts';
import { prepareRequests } from './write.ts';

type Content = Pick<MetadataGroup, 'field' | 'group'>;
type SchemaGroup = NonNullable<MetadataSchema['group']>[number];
type Limits = NonNullable<SchemaGroup['field']>[number];

/** The route that tells whether metadata fits the definitions of its fields and the metadata schema. */
export function validateRoutes(parts: MetadataContext): readonly Route[] {
  const { store, settings } = parts;
  const resource = itemPlace(store);
  return [
    route({
      method: 'PUT',
      path: '/item/:item/metadata/validate',
      says: 'Checks the metadata of an item, or what a document would make of it. Nothing changes. Refuses the first value that its field, or the first number that the metadata schema, does not allow.',
      entities: { item: itemAt(store)('WRITE', 'METADATA') },
      reads: optional(metadataDocument),
      access: resource.write,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const owner = { kind: 'item', id } as const;
        const asker = await askerOf(call);
        const { body } = call;
        const request = body && (await runInSlices(metadataRequestInSteps(body, { isIgnored: isKept }, body.revision)));
        const { state } = request
          ? await prepareRequests(parts, owner, [{ by: subjectOf(call).name, request }], {
              asker,
              skipForbidden: false,
            })
          : await loadMetadata(store, owner);
        const by = { site: settings.site, asker };
        const document = (await documentsOf(store, 'item', new Map([[id, { state }]]), storedView, by)).get(id)!;
        const names = new Set<string>();
        for (const span of document.timespan ?? []) collect(span, names);
        const schema = new Map(((await storedSchema(store)).group ?? []).map((group) => [group.name ?? '', group]));
        await runInSlices(checks(document, await loadFields(store, [...names]), schema));
      },
    }),
  ];
}

function collect({ field = [], group = [] }: Content, names: Set<string>): void {
  for (const { name } of field) if (name !== undefined) names.add(name);
  for (const each of group) collect(each, names);
}

/** Throws the first violation. Yields the size of what it has checked. */
function* checks(
  { timespan = [], group: main = [] }: MetadataDocumentValue,
  fields: ReadonlyMap<string, FieldDefinition>,
  schema: ReadonlyMap<string, SchemaGroup>,
): Generator<number, void> {
  for (const span of timespan) yield* checkContent(span, fields, schema);
  // Fields of the first level belong to the main groups.
  const whole = {
    field: timespan.flatMap(({ field = [] }) => field),
    group: timespan.flatMap(({ group = [] }) => group),
  };
  for (const name of main) checkNumbers(schema.get(name), whole);
}

function* checkContent(
  { field = [], group = [] }: Content,
  fields: ReadonlyMap<string, FieldDefinition>,
  schema: ReadonlyMap<string, SchemaGroup>,
): Generator<number, void> {
  for (const { name = '', value: values = [] } of field) {
    const definition = fields.get(name);
    for (const { value } of values) {
      yield 100 + (value?.length ?? 0);
      if (definition && value !== undefined) checkValue(definition, value);
    }
  }
  for (const each of group) {
    checkNumbers(schema.get(each.name ?? ''), each);
    yield* checkContent(each, fields, schema);
  }
}

function checkNumbers(schema: SchemaGroup | undefined, { field = [], group = [] }: Content): void {
  if (!schema) return;
  const values = new Map<string, number>();
  for (const { name = '', value = [] } of field) values.set(name, (values.get(name) ?? 0) + value.length);
  const instances = new Map<string, number>();
  for (const { name = '' } of group) instances.set(name, (instances.get(name) ?? 0) + 1);
  for (const each of schema.field ?? []) checkNumber(each, values, `values of the field`, schema);
  for (const each of schema.group ?? []) checkNumber(each, instances, `groups of the name`, schema);
}

function checkNumber(
  { name = '', min = 0, max = -1 }: Limits,
  counts: ReadonlyMap<string, number>,
  what: string,
  schema: SchemaGroup,
): void {
  const count = counts.get(name) ?? 0;
  if (count >= min && (max < 0 || count <= max)) return;
  const bound = count < min ? `at least ${min}` : `at most ${max}`;
  const explanation = `Expected ${bound} ${what} in the group "${schema.name}": ${count}`;
  throw new ServiceError('bad-value', { context: 'metadata', id: name, explanation, value: String(count) });
}
