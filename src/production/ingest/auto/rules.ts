import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import { compilePattern } from '../../../core/documents/pattern.ts';
import type { AutoImportRule } from '../auto-rules/documents.ts';
import { captionEndings } from '../sidecars/captions.ts';

const place = '/AutoImportRuleDocument';

/** Effect of a rule on a file. Undefined: no import. */
interface AutoImport {
  readonly tags: readonly string[];
  readonly title: string | undefined;
}

export function autoImportOf(rule: AutoImportRule, path: string): AutoImport | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { tag = [], excludeFilter = [], shapeTagFilter = [], ignoreSidecarImport = false, fileNameAsTitle } = rule;
  if (isSidecar(name) && !ignoreSidecarImport) return undefined;
  if (excludeFilter.some(({ pattern }) => compilePattern(pattern, `${place}/excludeFilter/pattern`)(name))) {
    return undefined;
  }
  const filtered = new Set(shapeTagFilter.flatMap(({ tag: tags = [] }) => tags));
  const matching = shapeTagFilter
    .filter(({ pattern }) => compilePattern(pattern, `${place}/shapeTagFilter/pattern`)(name))
    .flatMap(({ tag: tags = [] }) => tags);
  const tags = [...new Set([...tag.filter((each) => !filtered.has(each)), ...matching])];
  return { tags, title: fileNameAsTitle ? name : undefined };
}

/** Files with metadata and subtitles belong to the file beside them. */
const endings: readonly string[] = ['xml', ...captionEndings];
const isSidecar = (name: string): boolean => endings.some((each) => name.toLowerCase().endsWith(`.${each}`));

/** The paths that the sidecars of a file have: `a.xml` and `a.mov.xml` beside `a.mov`. */
export function sidecarPaths(path: string, { ignoreSidecarImport, disabledSidecarExtensions = [] }: AutoImportRule) {
  if (ignoreSidecarImport) return [];
  const off = new Set(disabledSidecarExtensions.map((each) => each.replace(/^\./, '').toLowerCase()));
  const stem = path.replace(/\.[^./]*$/, '');
  return endings.filter((each) => !off.has(each)).flatMap((each) => [`${stem}.${each}`, `${path}.${each}`]);
}

export const isMetadata = (path: string): boolean => /\.xml$/i.test(path);

/** A file with metadata takes the place of that of the rule. The name of the media is the title, where the rule says so. */
export function sidecarMetadata(
  { metadata }: AutoImportRule,
  { title }: AutoImport,
  hasFile: boolean,
): MetadataDocumentValue | undefined {
  const own = hasFile ? undefined : metadata;
  if (title === undefined) return own;
  const timespan = (own?.timespan ?? []).map((each) => ({
    ...each,
    field: each.field?.filter(({ name }) => name !== 'title'),
  }));
  return { ...own, timespan: [...timespan, { field: [{ name: 'title', value: [{ value: title }] }] }] };
}
