import type {
  MetadataFieldGroupListDocument,
  MetadataFieldGroupType,
  MetadataFieldListDocument,
  MetadataFieldType,
} from 'portico/types';
import { get } from '../../../api/client.ts';
import { useLoad } from '../../../kit/load.ts';
import { has } from '../../../rights.ts';

/** Definitions that forms are made of. Who may not read them sees fields by their names. */
interface Definitions {
  readonly groups: readonly MetadataFieldGroupType[];
  readonly fields: readonly MetadataFieldType[];
}

let kept: Definitions | undefined;

async function read(signal: AbortSignal): Promise<Definitions> {
  if (kept) return kept;
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
  kept = { groups: group, fields: field };
  return kept;
}

/** Definitions are read once for the life of the page, and again after a minute. */
export function useDefinitions(): Definitions | undefined {
  const { value, refusal } = useLoad('definitions', async (signal) => {
    const found = await read(signal);
    setTimeout(() => {
      kept = undefined;
    }, 60_000);
    return found;
  });
  return value ?? (refusal ? { groups: [], fields: [] } : undefined);
}
