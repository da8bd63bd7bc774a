import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Packages whose code is part of the built client; their licences ask to travel with it. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core'];

/** One licence text of crates that the server is built from, as `cargo xtask gen` finds them. */
interface CrateLicence {
  readonly crates: readonly string[];
  readonly text: string;
}

/** Fills `<!-- licences -->` in a page with the licence texts of what the built client and its server contain. */
export function licences(): Plugin {
  return {
    name: 'quadrex-licences',
    transformIndexHtml: (html) => html.replace('<!-- licences -->', sections),
  };
}

function sections(): string {
  const art = section('Piece art by Colin M. L. Burnett', text('../src/view/board/PIECES-LICENCE'));
  const packages = BUNDLED.map((name) => section(name, text(`../node_modules/${name}/LICENSE`)));
  const crates = (JSON.parse(text('crates.json')) as CrateLicence[]).map((one) => section(one.crates.join(', '), one.text));
  return [art, ...packages, ...crates].join('\n');
}

function text(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8').trim();
}

function section(title: string, licence: string): string {
  return `<section><h2>${escape(title)}</h2><pre>${escape(licence)}</pre></section>`;
}

function escape(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
