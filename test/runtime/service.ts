import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { matchesHash, type Scrypt } from '../../src/identity/passwords/hash.ts';
import { runtimeName } from './runtime-name.ts';

/** Parts that a runtime gives to the suite. The suite itself imports nothing of a platform. */
export interface Host {
  readonly scrypt: Scrypt;
  /** The password of `admin`. */
  readonly password: string;
  /** A service on the same rows each time, so that opening it again shows what is durable. */
  open(): Promise<Opened>;
}

export interface Opened {
  fetch(request: Request): Response | Promise<Response>;
  close(): Promise<void>;
}

const xml = 'application/xml';
const json = 'application/json';

/** Small on purpose: what is worth asking each runtime is whether the parts that differ there work at all. */
export function describeService(host: Host): void {
  describe('the service', () => {
    let service: Opened;
    beforeAll(async () => {
      service = await host.open();
    });
    afterAll(() => service.close());

    const authorization = `Basic ${btoa(`admin:${host.password}`)}`;
    const call = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
      service.fetch(
        new Request(`http://portico.test${path}`, {
          method,
          headers: { authorization, ...headers },
          ...(body === undefined ? {} : { body }),
        }),
      );
    const text = async (path: string, accept: string) => (await call('GET', path, { accept })).text();

    it('runs where the launcher says', () => {
      // A launcher that starts another runtime than it should would pass everything else.
      expect(runtimeName()).toBe(inject('runtime'));
    });

    it('tells callers who they are, and challenges those who do not say', async () => {
      const known = await call('GET', '/whoami');
      expect([known.status, await known.text()]).toEqual([200, 'admin']);
      for (const wrong of ['', `Basic ${btoa('admin:wrong')}`, `Basic ${btoa('nobody:wrong')}`]) {
        const refused = await call('GET', '/whoami', { authorization: wrong });
        expect([refused.status, await refused.text()]).toEqual([401, '']);
        expect(refused.headers.get('www-authenticate')).toBe('BASIC realm="serviceRealm"');
      }
    });

    it.each(['/API/whoami', '/whoami/', '//whoami', '/user/../whoami', '/whoami;a=b', '/%77hoami'])(
      'reads %s as /whoami, for the filters and for the route',
      async (path) => {
        expect((await call('GET', path)).status).toBe(200);
        expect((await call('GET', path, { authorization: '' })).status).toBe(401);
      },
    );

    it('keeps the secrets of a notification, and makes what its deliveries are signed with', async () => {
      const action = { http: { url: 'https://desk:hidden@hooks.example/in' } };
      const body = JSON.stringify({ action, trigger: { job: { stop: '' } } });
      const made = await call('POST', '/job/notification', { 'content-type': json, accept: 'text/plain' }, body);
      const id = await made.text();
      expect([made.status, id]).toEqual([200, expect.stringMatching(/^VX-\d+$/)]);
      expect(await text(`/job/notification/${id}`, json)).toContain('https://***:***@hooks.example/in');
      const signs = await call('POST', `/job/notification/${id}/secret`, { accept: json });
      expect([signs.status, await signs.text()]).toEqual([200, expect.stringMatching(/whsec_.*whpk_/)]);
    });

    it('tells what happens as it happens', async () => {
      const answer = await call('GET', '/event', { accept: 'text/event-stream' });
      const reader = answer.body!.getReader();
      let told = '';
      while (!told.includes('user/create')) told += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
      expect([answer.status, told]).toEqual([200, expect.stringMatching(/^id: \d+$/m)]);
    });

    it.each(['/%2fwhoami', '/a%5cb', '/%zz', '/%00', '/a%253b'])(
      'refuses %s, which could mean two things',
      async (path) => {
        expect((await call('GET', path)).status).toBe(400);
      },
    );

    it('takes and gives users as XML', async () => {
      const body =
        '<u:UserDocument xmlns:u="urn:any"><u:userName>ann</u:userName><u:realName>Ann É &amp; 中</u:realName></u:UserDocument>';
      expect((await call('POST', '/user', { 'content-type': xml }, body)).status).toBe(200);
      const document = await text('/user/ann', xml);
      expect(document).toContain('<UserDocument xmlns="urn:portico:schema">');
      expect(document).toContain('<realName>Ann É &amp; 中</realName>');
    });

    it('takes and gives users as JSON', async () => {
      const body = JSON.stringify({
        userName: 'bob',
        password: 'a pass phrase',
        groupList: { group: [{ groupName: '_user_read' }] },
      });
      expect((await call('POST', '/user', { 'content-type': json }, body)).status).toBe(200);
      const document = JSON.parse(await text('/user/bob', json));
      expect(document).toMatchObject({
        userName: 'bob',
        groupList: { group: [{ groupName: '_user_read', role: true }] },
      });
      const asBob = { authorization: `Basic ${btoa('bob:a pass phrase')}` };
      expect((await call('GET', '/user/ann', asBob)).status).toBe(200);
      expect((await call('PUT', '/group/mine', asBob)).status).toBe(403);
    });

    it('changes groups', async () => {
      const body = '<GroupDocument><description>Editors</description></GroupDocument>';
      expect((await call('PUT', '/group/editors', { 'content-type': xml }, body)).status).toBe(200);
      expect(JSON.parse(await text('/group/editors', json))).toMatchObject({
        groupName: 'editors',
        description: 'Editors',
      });
    });

    it('searches, answers bytes and lists, and deletes for good', async () => {
      const search = (body: object) =>
        call('PUT', '/user', { 'content-type': json, accept: json }, JSON.stringify(body));
      const found = await (await search({ field: [{ name: 'username', value: 'A*' }] })).json();
      expect(found).toEqual({ hits: 0, user: [] });
      const field = [{ name: 'username', value: '*N' }];
      const folded = await call(
        'PUT',
        '/user?ignoreCase=true',
        { 'content-type': json, accept: 'text/plain' },
        JSON.stringify({ field }),
      );
      expect([folded.status, await folded.text()]).toEqual([
        200,
        'admin\tAdministrator\t_administrator\r\nann\tAnn É & 中\r\n',
      ]);
      const other = await (
        await search({ operator: { operation: 'NOT', field: [{ name: 'username', value: '*n' }] } })
      ).json();
      expect(other).toMatchObject({ hits: 1, user: [{ userName: 'bob' }] });
      expect((await (await call('POST', '/user/bob/password/salt')).arrayBuffer()).byteLength).toBe(16);
      expect(await text('/group/_import', 'text/plain')).toBe('http://portico.test/group/_import');
      expect((await call('PUT', '/user/bob/metadata/a/b', {}, 'c')).status).toBe(200);
      expect(await text('/user/bob/metadata/**/b', 'text/plain')).toBe('c');
      const deleted = await call('DELETE', '/user/bob?hard=true', { accept: json });
      expect(await deleted.json()).toMatchObject({ type: 'DELETE_USER', status: 'FINISHED' });
      expect((await call('GET', '/user/bob', { accept: json })).status).toBe(404);
    });

    it('answers errors as documents', async () => {
      const missing = await call('GET', '/user/none', { accept: json });
      expect([missing.status, missing.headers.get('content-type')]).toEqual([404, json]);
      expect(await missing.json()).toMatchObject({ notFound: { type: 'User', id: 'none' } });
      const twice = await call('POST', '/user', { 'content-type': json, accept: xml }, '{"userName":"ann"}');
      expect([twice.status, await twice.text()]).toEqual([409, expect.stringContaining('<conflict>')]);
      const broken = await call('POST', '/user', { 'content-type': xml, accept: xml }, '<UserDocument><userName>x');
      expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining('<invalidInput>')]);
    });

    it('is ready: it could write just now', async () => {
      const ready = await call('GET', '/health/ready', { authorization: '' });
      expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ ready: true })]);
    });

    it('keeps a change when it is opened again', async () => {
      expect((await call('PUT', '/group/durable')).status).toBe(200);
      await service.close();
      service = await host.open();
      expect((await call('GET', '/group/durable')).status).toBe(200);
    });

    it('verifies a password hash that another runtime made, with its own parameters', async () => {
      // Made with the standard library of another language: N=2^12, r=8, p=2.
      const stored = '$scrypt$ln=12,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$yt+EkZRXTfH+R04o4kTfzi+vVfvhLp1EQUjLtTusQlA';
      expect(await matchesHash('correct horse', stored, host.scrypt)).toBe(true);
      expect(await matchesHash('correct hors', stored, host.scrypt)).toBe(false);
    });
  });
}
