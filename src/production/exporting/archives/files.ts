import { fileNameOf, ownNamesOf } from '../../../assets/shapes/public.ts';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { FolderNames, fileNameFrom } from '../../../core/lib/file-name.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { inSlices, yieldTurn } from '../../../core/lib/turn.ts';
import { oneLine } from '../../../http/reply.ts';
import type { Caller } from '../../../security/caller.ts';
import { type ExportFile, type FileParts, filesToExport } from '../running/files.ts';

/** Files of one archive. */
export const maxArchiveFiles = 10_000;
const listName = 'not-included.txt';
const untitled = 'untitled';

/** An item by the name that the caller knows. */
interface NamedItem {
  readonly id: string;
  readonly name?: string | undefined;
}

/** A file of an archive, without what is known of its shape besides. */
export interface ArchiveFile {
  /** Path in the archive. */
  readonly name: string;
  readonly itemId: string;
  readonly shapeId: string;
  readonly componentId: string;
  readonly fileId: string;
  /** Version of the bytes in the storage. */
  readonly content: string | null;
  readonly size: number;
  readonly modified: number | undefined;
}

interface LeftOut {
  readonly name: string;
  readonly why: string;
}

/** Asks which files of items the caller may have now. `tags`: those of the shapes. */
export const filesNow = (parts: FileParts, caller: Caller, tags: readonly string[], ids: readonly string[]) =>
  filesToExport(
    parts,
    caller,
    { target: 'item', id: '', tags, version: 'latest', track: '*', template: undefined },
    ids,
  );

const whyOf = ({ code, detail }: ServiceError): string =>
  code === 'not-usable' ? detail.explanation! : 'A version waits for its approval';

/** Plan of an archive. It grows item by item, and keeps little of each. */
export class ArchiveContent {
  readonly files: ArchiveFile[] = [];
  readonly leftOut: LeftOut[] = [];
  /** Names in each folder. */
  readonly #names = new Map<string, FolderNames>();
  readonly #parts: FileParts;
  /** Whether the bytes of a file were missing a short time ago. */
  readonly #isLost: (file: Pick<ArchiveFile, 'fileId' | 'content'>) => boolean;

  constructor(parts: FileParts, isLost: (file: Pick<ArchiveFile, 'fileId' | 'content'>) => boolean) {
    this.#parts = parts;
    this.#isLost = isLost;
    this.#namesIn('').take(listName);
  }

  #namesIn(folder: string): FolderNames {
    const names = this.#names.get(folder) ?? new FolderNames();
    this.#names.set(folder, names);
    return names;
  }

  /** Path of a new folder, with a slash at its end. */
  folder(parent: string, name = ''): string {
    return `${parent}${this.#namesIn(parent).take(fileNameFrom(name, ''))}/`;
  }

  /** Adds what the caller may have of the items. `keepsOwn`: originals have the names with which they came. False: no further file fits. */
  async add(
    caller: Caller,
    tags: readonly string[],
    items: readonly NamedItem[],
    { keepsOwn = false, folder = '' } = {},
  ): Promise<boolean> {
    const ids = items.map(({ id }) => id);
    const { files, refusals } = await filesNow(this.#parts, caller, tags, ids);
    await yieldTurn();
    const byItem = groupBy(files, ({ itemId }) => itemId);
    const refused = new Map(refusals.map(({ itemId, refusal }) => [itemId, refusal]));
    const ownNames = keepsOwn
      ? await ownNamesOf(this.#parts.store, [...new Set(files.map(({ shape }) => shape))])
      : undefined;
    for (const { id, name = untitled } of items) {
      const own = byItem.get(id) ?? [];
      const refusal = refused.get(id);
      const leaveOut = (why: string) => this.leftOut.push({ name: folder + name, why });
      if (refusal) leaveOut(whyOf(refusal));
      else if (own.length === 0) leaveOut('There is no file to download');
      for (const file of own) {
        if (this.files.length === maxArchiveFiles) {
          leaveOut(`An archive has at most ${maxArchiveFiles} files: this one and all behind it`);
          return false;
        }
        const wished = ownNames?.get(file.shape.id) ?? fileNameOf(name, file.shape.tags, file.row.path);
        if (!this.#addFile(folder, wished, file)) leaveOut('The storage does not have the file');
      }
    }
    return true;
  }

  /** False: the file was missing a short time ago. */
  #addFile(folder: string, wished: string, { itemId, shape, component, row }: ExportFile): boolean {
    const { id: fileId, content, size, modified } = row;
    const own = { itemId, shapeId: shape.id, componentId: component.id, fileId, content };
    if (size === null || this.#isLost(own)) return false;
    const milliseconds = modified === null ? undefined : Math.floor(modified / 1000);
    const name = folder + this.#namesIn(folder).take(wished);
    this.files.push({ name, ...own, size, modified: milliseconds });
    return true;
  }

  /** The text that says what is left out. Undefined: nothing is. */
  async list(): Promise<{ readonly name: string; readonly text: string } | undefined> {
    if (this.leftOut.length === 0) return undefined;
    const lines = await inSlices(this.leftOut, async (slice) =>
      slice.map(({ name, why }) => `${oneLine(name)}: ${why}\r\n`),
    );
    return { name: listName, text: lines.join('') };
  }
}
