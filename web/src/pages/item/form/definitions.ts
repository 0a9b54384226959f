import type {
  MetadataFieldGroupListDocument,
  MetadataFieldGroupType,
  MetadataFieldListDocument,
  MetadataFieldType,
} from 'portico/types';
import { get } from '../../../api/client.ts';
import { useLoad } from '../../../components/load.ts';
import { has } from '../../../rights.ts';

/** Definitions that forms are made of. Who may not read them sees fields by their names. */
interface Definitions {
  readonly groups: readonly MetadataFieldGroupType[];
  readonly fields: readonly MetadataFieldType[];
}

let cache: Definitions | undefined;

async function read(signal: AbortSignal): Promise<Definitions> {
  if (cache) return cache;
  const query = { data: '*', includeValues: true };
  const [{ group = [] }, { field = [] }] = await Promise.all([
    has('_metadata_field_group_read')
      ? get<MetadataFieldGroupListDocument>('/metadata-field/field-group', {
          query: { ...query, content: true },
          signal,
        })
      : ({} as MetadataFieldGroupListDocument),
    has('_metadata_field_read')
      ? get<MetadataFieldListDocument>('/metadata-field', { query, signal })
      : ({} as MetadataFieldListDocument),
  ]);
  cache = { groups: group, fields: field };
  return cache;
}

/** Definitions are read once for the life of the page, and again after a minute. */
export function useDefinitions(): Definitions | undefined {
  const { value, refusal } = useLoad('definitions', async (signal) => {
    const definitions = await read(signal);
    setTimeout(() => {
      cache = undefined;
    }, 60_000);
    return definitions;
  });
  return value ?? (refusal ? { groups: [], fields: [] } : undefined);
}
