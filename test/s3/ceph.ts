import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, ended, freePort, type Gateway, run, type StoreProgram, until } from './gateway.ts';

/** Nobody but this machine reaches it, so nobody has to show who they are. Bytes are in memory. */
const configuration = (folder: string, id: string, monitor: number, gateway: number): string => `[global]
fsid = ${id}
mon host = v2:127.0.0.1:${monitor}/0
mon initial members = a
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
ms cluster mode = crc
ms service mode = crc
ms client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
mon max pg per osd = 1000
osd objectstore = memstore
memstore device bytes = 2147483648
mon data = ${folder}/mon
osd data = ${folder}/osd
run dir = ${folder}/run
pid file = ${folder}/run/$name.$pid.pid
admin socket = ${folder}/run/$name.$pid.asok
log file = ${folder}/log/$name.log
mon cluster log file = ${folder}/log/cluster.log
rgw frontends = beast endpoint=127.0.0.1:${gateway}
`;

/** A monitor, one place for bytes and a gateway, as little of Ceph as answers. */
async function startCeph(): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-ceph-'));
  const children: ChildProcess[] = [];
  async function close(): Promise<void> {
    await ended(children);
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const [monitor, port] = [await freePort(), await freePort()];
    const id = randomUUID();
    const conf = ['--conf', join(folder, 'ceph.conf')];
    const tool = async (program: string, ...given: string[]) =>
      (await run(program, [...conf, ...given], { timeout: 30_000 })).stdout;
    const daemon = (program: string, name: readonly string[]) => {
      children.push(spawn(program, [...conf, ...name, '-f'], { stdio: 'ignore' }));
    };
    for (const name of ['mon', 'osd', 'run', 'log']) await mkdir(join(folder, name));
    await writeFile(join(folder, 'ceph.conf'), configuration(folder, id, monitor, port));

    const map = join(folder, 'monmap');
    await run('monmaptool', ['--create', '--addv', 'a', `[v2:127.0.0.1:${monitor}/0]`, '--fsid', id, map]);
    await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
    daemon('ceph-mon', ['-i', 'a']);
    await until('a monitor', 60, async () => (await tool('ceph', '-s')).includes('quorum a'));

    const disk = randomUUID();
    await tool('ceph', 'osd', 'new', disk);
    await tool('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', disk);
    daemon('ceph-osd', ['-i', '0']);
    await until('a place for bytes', 60, async () => (await tool('ceph', 'osd', 'stat')).includes('1 up'));

    const key = { accessKey: 'PORTICOTEST', secret: randomUUID(), region: 'us-east-1' };
    const user = ['user', 'create', '--uid=test', '--display-name=test'];
    await run('radosgw-admin', [...conf, ...user, `--access-key=${key.accessKey}`, `--secret=${key.secret}`], {
      timeout: 120_000,
    });
    daemon('radosgw', ['-n', 'client.admin']);
    const endpoint = `http://127.0.0.1:${port}`;
    await until('a gateway', 120, async () => (await fetch(endpoint)).ok);
    const { stdout } = await run('radosgw', ['--version']);
    return { ...key, endpoint, version: stdout.trim(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Ceph, in memory. */
export const ceph: StoreProgram = {
  name: 'ceph',
  lacks: async () =>
    (await answers('radosgw', '--version'))
      ? undefined
      : 'radosgw, which `apt-get install --no-install-recommends radosgw ceph-mon ceph-osd` installs on Debian',
  start: startCeph,
};
