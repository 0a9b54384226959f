import { essenceFields, fieldsWithout, type SystemFields } from '../../../assets/shapes/public.ts';
import type { ShapeOf } from '../../../assets/shapes/public-reading.ts';
import { baseText } from '../../../core/lib/time-code.ts';
import type { DeducedComponent } from './components.ts';

/** Information by the caller about the origin of a file. */
export interface FileOrigin {
  readonly filename?: string | undefined;
  readonly uri?: string | undefined;
}

/** Original filename for the metadata: by the caller, else by the address, else by the path. */
export function originalName({ filename, uri }: FileOrigin, path: string): string {
  if (filename !== undefined && filename !== '') return filename;
  const last =
    (uri ?? path)
      .replace(/[?#].*$/s, uri === undefined ? '$&' : '')
      .split('/')
      .at(-1) ?? '';
  if (uri === undefined) return last;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Values for the metadata of the item, in one change set. What the shape said before, and does not say any more, goes. */
export function fieldsOfCheck(
  shape: ShapeOf,
  before: ShapeOf,
  now: ReadonlyMap<string, readonly string[]>,
  { filename, uri }: { readonly filename: string; readonly uri?: string | undefined },
): SystemFields {
  return {
    ...fieldsWithout(essenceFields(before), now),
    ...essenceFields(shape),
    ...(filename !== '' && { originalFilename: [filename] }),
    ...(uri !== undefined && { originalUri: [withoutLogin(uri)] }),
    ...startFields(shape),
  };
}

/** Removes the credentials, since all readers of the item see the address. */
const withoutLogin = (uri: string): string => uri.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');

/** The first time code, in frames of its own base. */
function startFields({ containerComponent }: ShapeOf): SystemFields {
  const { startTimecode, timeCodeTimeBase } = containerComponent ?? {};
  if (startTimecode === undefined || !timeCodeTimeBase) return {};
  const { numerator, denominator } = timeCodeTimeBase;
  return {
    startTimeCode: [`${startTimecode}@${baseText(numerator, denominator)}`],
    startSeconds: [String((startTimecode * numerator) / denominator)],
  };
}

/** A shape as its document will have it: enough to say what its essence is. */
export const shapeAfter = (
  mimeTypes: readonly string[],
  components: readonly DeducedComponent[],
  filename = '',
): ShapeOf => {
  const of = (kind: DeducedComponent['kind']) =>
    components.filter((each) => each.kind === kind).map(({ properties }) => properties);
  const [container] = of('container');
  return {
    mimeType: mimeTypes,
    metadata: { field: filename === '' ? [] : [{ key: 'originalFilename', value: { value: filename } }] },
    ...(container && { containerComponent: container }),
    videoComponent: of('video'),
    audioComponent: of('audio'),
    binaryComponent: of('binary'),
  };
};
