import {
  attribute,
  document,
  type Lazy,
  lazy,
  list,
  oneOf,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import {
  answeredParts,
  type ItemSearch,
  type SearchContent,
  type SearchField,
  type SearchGroup,
  type SearchText,
  searchField,
  searchText,
} from './documents.ts';
import type { SearchKind } from './query/ast.ts';

/** Criteria of version 2 of the original's search, a beta of its release 25.2. */
interface SecondContent {
  readonly text?: readonly SearchText[] | undefined;
  readonly field?: readonly SearchField[] | undefined;
  readonly operator?: readonly SecondOperator[] | undefined;
  readonly timespans?: readonly SecondOperator[] | undefined;
}

export interface SecondOperator extends SecondContent {
  readonly operation?: 'AND' | 'OR' | 'NOT' | undefined;
}

const inner: Lazy<SecondOperator> = lazy(() => operator);

const contents = {
  text: list(searchText),
  field: list(searchField).says('A field of a group has the path of the group ahead: "Group/subgroup/field".'),
  operator: list(inner),
  timespans: list(inner).says('Criteria of timed metadata. All others are about metadata without a time.'),
};

const operator = structure('Search2OperatorType', {
  ...contents,
  operation: attribute(oneOf('AND', 'OR', 'NOT')).says('Default: AND.'),
});

/** The original calls it SearchDocument, a name that searches of version 1 have here, too. */
export const secondSearchDocument = document('Search2Document', { ...contents, ...answeredParts });
type SecondSearch = Value<typeof secondSearchDocument>;

/** Search of version 1 with the same criteria. */
export function firstVersionOf(search: SecondSearch, kind: SearchKind): ItemSearch {
  const { text, field, operator, timespans, sort, ...answered } = search;
  const content = contentOf({ text, field, operator, timespans });
  const isTimed = kind !== 'file' && kind !== 'shape';
  return {
    ...content,
    ...answered,
    sort: sort?.map((each) => ({ ...each, field: nameOf(each.field) })),
    ...(isTimed && { intervals: intervalsOf(search) }),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function contentOf({ text, field = [], operator = [], timespans = [] }: SecondContent): SearchContent {
  const inGroup = field.filter(({ name }) => name.includes('/')).map(inGroups);
  const plain = field.filter(({ name }) => !name.includes('/'));
  const operators = [...operator, ...timespans].map(({ operation, ...content }) => ({
    ...contentOf(content),
    operation,
  }));
  // Files and shapes are found by their columns only where nothing else is asked for.
  return {
    text,
    ...(plain.length > 0 && { field: plain }),
    ...(inGroup.length > 0 && { group: inGroup }),
    ...(operators.length > 0 && { operator: operators }),
  };
}

function inGroups({ name, ...field }: SearchField): SearchGroup {
  const [first = '', ...rest] = name.split('/');
  const path = rest.join('/');
  const content = path.includes('/')
    ? { group: [inGroups({ ...field, name: path })] }
    : { field: [{ ...field, name: path }] };
  return { name: first, ...content };
}

/** A text is looked for everywhere. */
function intervalsOf(search: SecondContent): ItemSearch['intervals'] {
  const isTimed = (search.timespans ?? []).length > 0;
  const isGeneric = hasOwn(search, ({ field = [] }) => field.length > 0);
  if (hasOwn(search, ({ text = [] }) => text.length > 0)) return 'all';
  if (isTimed) return isGeneric ? 'all' : 'timed';
  return isGeneric ? 'generic' : undefined;
}

/** Whether the criteria outside of timespans hold something. */
const hasOwn = (content: SecondContent, isSome: (content: SecondContent) => boolean): boolean =>
  isSome(content) || (content.operator ?? []).some((each) => hasOwn(each, isSome));
