import type { Catalogue } from '../index.ts';

export const people: Catalogue['people'] = {
  open: (name) => `${name}: perfil y acciones`,
  profile: 'Perfil',
  more: 'Acciones…',
  mutes: {
    list: 'Silenciados',
    add: 'Silenciar',
    remove: 'Dejar de silenciar',
    added: (name) => `Has silenciado a ${name}. Ya no ves sus mensajes.`,
    removed: (name) => `${name} ya no está silenciado.`,
  },
  blocks: {
    list: 'Bloqueados',
    add: 'Bloquear',
    remove: 'Desbloquear',
    added: (name) => `Has bloqueado a ${name}. Ya no ves sus mensajes, y no puede sentarse a tus mesas.`,
    removed: (name) => `${name} ya no está bloqueado.`,
  },
  listTitle: 'Jugadores bloqueados y silenciados',
  listHint: 'No ves sus mensajes. Además, los bloqueados no pueden sentarse a tus mesas. No se les avisa.',
};
