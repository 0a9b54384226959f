/** Most files that one drop may bring, so that a whole disk does not fill the memory of the page. */
const maxFiles = 5_000;

/** Files of a drop, with those of its folders. */
export async function filesOf(transfer: DataTransfer | null): Promise<readonly File[]> {
  if (!transfer) return [];
  // Entries are there only during the event: read before the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...transfer.files];
  const files: File[] = [];
  for (const entry of entries) await walk(entry, files);
  return files;
}

async function walk(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length >= maxFiles || entry.name.startsWith('.')) return;
  if (entry.isFile) {
    files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const page = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (page.length === 0) return;
    for (const each of page) await walk(each, files);
  }
}
