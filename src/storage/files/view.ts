import { flag, list, type QueryOf, repeated, text } from '../../http/parameters/index.ts';
import { schemeOf } from '../places/places.ts';

/** Query parameters for the details of files in answers: addresses for reading, and uses. */
export const viewParameters = {
  includeItem: flag('Adds the items, shapes and components that use a file', false),
  scheme: list(text('Only addresses of these schemes, such as "http"')),
  methodType: list(text('Addresses by methods of these types, instead of methods without a type')),
  methodMetadata: repeated('Only addresses of methods with this metadata: "key=value"'),
  storageType: list(text('Only addresses on storages of these types')),
};

export interface FileView {
  readonly includeItem: boolean;
  readonly schemes: readonly string[] | undefined;
  /** Method types in capitals. */
  readonly methodTypes: readonly string[] | undefined;
  readonly methodMetadata: readonly (readonly [key: string, value: string])[];
  readonly storageTypes: readonly string[] | undefined;
}

/** Default view: no filters, no items. */
export const plainFileView: FileView = {
  includeItem: false,
  schemes: undefined,
  methodTypes: undefined,
  methodMetadata: [],
  storageTypes: undefined,
};

type ViewQuery = QueryOf<typeof viewParameters>;

export const fileViewOf = ({ includeItem, scheme, methodType, methodMetadata, storageType }: ViewQuery): FileView => ({
  includeItem,
  schemes: scheme?.map((each) => each.toLowerCase()),
  methodTypes: methodType?.map((each) => each.toUpperCase()),
  methodMetadata: methodMetadata.map(pairOf),
  storageTypes: storageType?.map((each) => each.toUpperCase()),
});

function pairOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

interface ShownMethod {
  readonly uri: string;
  readonly type: string;
  readonly storageType: string;
}

/** Whether the address of a method is one that the caller wants. */
export function isShownIn(view: FileView, { uri, type, storageType }: ShownMethod): boolean {
  const kind = type === '' ? 'NONE' : type.toUpperCase();
  const kinds = view.methodTypes ?? ['NONE'];
  return (
    kinds.includes(kind) &&
    (view.schemes?.includes(schemeOf(uri)) ?? true) &&
    (view.storageTypes?.includes(storageType) ?? true)
  );
}
