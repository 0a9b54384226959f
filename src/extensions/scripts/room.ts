import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { runHere } from '../../core/scripts/run-here.ts';
import { lastValue, runScript, runScriptsBy, ScriptFails } from '../../core/scripts/run-script.ts';
import { type Route, role, route } from '../../http/route.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { administrator } from '../../security/subject.ts';

/** Scripts as administrators try them, in the sandbox of all scripts. */
const scriptRoutes = (): readonly Route[] => [
  route({
    method: 'POST',
    path: '/javascript/test',
    says: 'Runs a script and answers the value of its last statement: text, or JSON for other values.',
    reads: 'text',
    answers: 'text',
    access: role(administrator),
    acting: 'allowed',
    async handle({ body: source }) {
      if (source.trim() === '') throw badValue('body', 'a script');
      try {
        const { [lastValue]: value } = await runScript(source, {}, [lastValue]);
        return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      } catch (error) {
        if (!(error instanceof ScriptFails)) throw error;
        throw new ServiceError('bad-value', { context: 'body', explanation: error.message });
      }
    },
  }),
  route({
    method: 'GET',
    path: '/javascript/session',
    says: 'The running scripts. The list is empty, because each script ends within a second.',
    answers: 'text',
    access: role(administrator),
    handle: () => '',
  }),
];

/** Scripts of administrators. Their engine is a large part of a bundle. */
export const scripts = defineRoom({
  name: 'scripts',
  extension: { says: 'Scripts of administrators: in job tasks, presets, names of files and auto-projections.' },
  open() {
    runScriptsBy(runHere);
    return { routes: [below('javascript', () => scriptRoutes())] };
  },
});
