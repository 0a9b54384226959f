import { baseOf } from '../../http/address.ts';
import { answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { choice, flag, list, page, pageOf, text } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { type Route, route } from '../../http/route.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { accessOf } from '../access/public-reading.ts';
import { allGroups, data, groupDocuments, keyFilterOf, readFieldGroup } from '../definitions/public.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { documentsOf, entryIn, storedView } from '../metadata/public.ts';
import { type OwnerKind, uuidOfInstance } from '../metadata/public-reading.ts';
import { itemSearchDocument, metadataFieldResultDocument, type UsedGroup } from './documents.ts';
import { findGroups, type GroupHit, type GroupHits } from './field-group-search.ts';
import type { SearchParts } from './parts.ts';

const sources = ['item', 'collection', 'global', 'document'] as const;
type Source = (typeof sources)[number];

/** Routes that search groups in metadata. */
export function fieldGroupSearchRoutes(parts: SearchParts): readonly Route[] {
  const { clock, settings } = parts;

  /** Sources that the caller may search. Global metadata has a role of its own; documents are excluded. */
  async function sourcesOf(call: Caller, wanted: readonly Source[] = sources): Promise<readonly OwnerKind[]> {
    const isGlobal = await subjectOf(call).has('_metadata_global_read');
    const kinds: readonly OwnerKind[] = isGlobal ? ['item', 'collection', 'global'] : ['item', 'collection'];
    return kinds.filter((kind) => wanted.includes(kind));
  }

  return [
    route({
      method: 'PUT',
      path: allGroups,
      says: 'Finds metadata groups of items and collections in which one instance matches all criteria.',
      query: {
        ...page(settings.maxPage, 100),
        source: list(choice('Kind of entity whose metadata is searched', sources)),
        includeSource: flag('Adds the entity of each group', false),
        includeValue: flag('Adds the fields of a group', false),
        includeDefinition: flag('Adds the definition of a group', false),
        group: list(text('Only groups of these names')),
        traverse: flag('Includes the content of groups in definitions', false),
        data,
      },
      reads: optional(itemSearchDocument),
      answers: answer(metadataFieldResultDocument, { list: 'group' }),
      access: readFieldGroup,
      acting: 'allowed',
      async handle(call) {
        const { query, body: document = {} } = call;
        const { reader } = call;
        const asker = await askerOf(call);
        const groups = await findGroups(reader, {
          ...pageOf(query),
          max: query.includeValue ? settings.maxPageValues : Number.POSITIVE_INFINITY,
          now: clock.now(),
          viewer: await accessOf(reader, call),
          asker,
          document,
          names: query.group,
          sources: await sourcesOf(call, query.source),
        });
        const values = query.includeValue ? await valuesOf(groups) : undefined;
        const names = [...new Set(groups.page.map((each) => each.group.name))];
        const shown = {
          keys: keyFilterOf(query.data),
          includeValues: false,
          members: true,
          traverse: query.traverse,
        };
        const definitions = query.includeDefinition ? await groupDocuments(reader, names, shown, asker, settings) : [];
        const byName = new Map(definitions.map((each) => [each.name, each]));
        const group = groups.page.map((each): UsedGroup => {
          const uuid = uuidOfInstance(each.group);
          const value = values?.(each, uuid);
          return {
            ...(value && { value }),
            definition: byName.get(each.group.name),
            ...(query.includeSource && { source: sourceOf(call, each) }),
            name: each.group.name,
            uuid,
            start: each.span.start,
            end: each.span.end,
          };
        });
        return { hits: groups.hits, group };

        /** Documents of the groups, as far as the caller may read them. */
        async function valuesOf({ states }: GroupHits) {
          const by = { site: settings.site, asker };
          const documents = new Map<OwnerKind, Awaited<ReturnType<typeof documentsOf>>>();
          for (const [kind, those] of states) {
            const loaded = new Map([...those].map(([id, state]) => [id, { state }]));
            documents.set(kind, await documentsOf(reader, kind, loaded, storedView, by));
          }
          return ({ kind, id }: GroupHit, uuid: string) => {
            const metadataDocument = documents.get(kind)?.get(id);
            return metadataDocument && entryIn(metadataDocument, uuid)?.group;
          };
        }
      },
    }),
  ];
}

const sourceOf = (call: Call, { kind, id }: GroupHit): NonNullable<UsedGroup['source']> =>
  kind === 'global' ? { type: kind } : { id, type: kind, loc: `${baseOf(call)}/${kind}/${encodeURIComponent(id)}` };
