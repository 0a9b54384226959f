import { runHere } from '../../core/scripts/run-here.ts';
import { runScriptsBy } from '../../core/scripts/run-script.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { scriptRoutes } from './routes.ts';

/** Scripts of administrators. Their engine is a large part of a bundle. */
export const scripts = defineRoom({
  name: 'scripts',
  extension: { says: 'Scripts of administrators: in job tasks, presets, names of files and auto-projections.' },
  open() {
    runScriptsBy(runHere);
    return { routes: [below('javascript', () => scriptRoutes())] };
  },
});
