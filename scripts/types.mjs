import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import process from 'node:process';
import { API } from 'typescript/unstable/sync';

/** `node scripts/types.mjs PROJECT FILE ...` checks the types of these files, and reads the others only where they need them. */
const [project, ...names] = process.argv.slice(2);
const files = names.map((name) => resolve(name));
const api = new API({ cwd: process.cwd() });
const { program } = api.updateSnapshot({ openProjects: [project] }).getProjects()[0];
const findings = files.flatMap((file) => [
  ...program.getSyntacticDiagnostics(file),
  ...program.getSemanticDiagnostics(file),
]);
for (const { fileName, pos, code, text } of findings) {
  const line = readFileSync(fileName, 'utf8').slice(0, pos).split('\n').length;
  console.error(`${relative('.', fileName)}:${line} - TS${code}: ${text}`);
}
api.close();
if (findings.length > 0) process.exitCode = 1;
