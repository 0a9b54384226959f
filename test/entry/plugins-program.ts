import process from 'node:process';
import { checkSecurity } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { readSecurityInput } from '../../src/entry/plugins/read-input.ts';

/** Result of an instance in a runtime without a test runner around it, which imports in a way of its own. */
const settings = readSettings({ PORTICO_ROOT: process.argv[2] });
const input = await readSecurityInput(settings, { within: 2000 });
const findings = await checkSecurity(input, checkingHost);
const said = JSON.stringify({
  plugins: input.plugins.map(({ name }) => name),
  findings: findings.map(({ severity, file, line, code, message }) => ({ severity, file, line, code, message })),
});
// A plugin that never loads leaves Deno with an error at the end of the program.
process.stdout.write(said, () => process.exit());
