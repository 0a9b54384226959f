import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function has(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const hasPython = has('python3', '--version');
const hasUnzip = has('unzip', '-v');

export interface UnzippedFile {
  readonly name: string;
  readonly size: number;
  readonly date: readonly number[];
  /** Content of up to a thousand bytes. */
  readonly text: string;
}

const reading = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
  bad = z.testzip()
  files = [{"name": i.filename, "size": i.file_size, "date": list(i.date_time), "text": z.read(i).decode(errors='replace') if i.file_size <= 1000 else ""} for i in z.infolist()]
  print(json.dumps([bad, files]))
`;

/** Files of an archive as Python reads them, once it and `unzip` agree with all check sums. */
export function unzipped(bytes: Uint8Array): readonly UnzippedFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'portico-zip-'));
  try {
    const path = join(folder, 'all.zip');
    writeFileSync(path, bytes);
    if (hasUnzip) execFileSync('unzip', ['-tqq', path]);
    const [bad, files] = JSON.parse(execFileSync('python3', ['-c', reading, path], { maxBuffer: 1e9 }).toString());
    if (bad !== null) throw new Error(`Expected the check sum of "${bad}"`);
    return files;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
