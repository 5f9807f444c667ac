// Makes dist/viewer.html: one template with style and script inlined. Whoever makes a page puts its packs in place of `<!--packs-->`
// and its title, escaped, in place of `<!--title-->`.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'inline',
  });
  return outputFiles[0].text;
}

/** The licences of what is bundled, which ask to go along with it. */
async function licences() {
  const packages = ['three', 'd3-scale-chromatic', 'd3-color', 'd3-interpolate'];
  const texts = await Promise.all(packages.map((name) => readFile(join(here, 'node_modules', name, 'LICENSE'), 'utf8')));
  return packages.map((name, n) => `/* ${name}\n${texts[n].replaceAll('©', '(c)')}*/\n`).join('');
}

/** Nothing inside may end the script's element, or look like a place to fill. */
const inScript = (code) => code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

async function main() {
  const template = await readFile(join(here, 'src/template.html'), 'utf8');
  const [script, style] = await Promise.all([bundle('src/main.js'), build({ entryPoints: [join(here, 'src/style.css')], minify: true, write: false })]);
  const notices = await licences();
  const page = template
    .replace('<!--style-->', () => (style.outputFiles[0].text).trim())
    .replace('<!--script-->', () => inScript(notices + script));
  await mkdir(join(here, 'dist'), { recursive: true });
  await writeFile(join(here, 'dist/viewer.html'), page);
  console.log(`viewer/dist/viewer.html: ${page.length} bytes`);
}

await main();
