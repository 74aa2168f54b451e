/** A pronounceable name: adjective-animal, always the same for the same session. */
import { fnv1a } from '../../core/text/fnv1a.ts'

const ADJECTIVES = (
  'amber bold brave bright brisk calm clear clever cosy crisp daring deft eager early fair fleet fond free fresh gentle ' +
  'glad golden grand happy hardy humble jolly keen kind lively lucky mellow merry mild modest neat nimble noble patient ' +
  'plucky polite proud quick quiet rapid ready robust rosy royal sharp shiny silent sleek sly smart snug solid spry ' +
  'steady still sturdy sunny swift tidy tranquil trusty upbeat vivid warm wise witty zesty'
).split(' ')
const ANIMALS = (
  'ant badger bat bear beaver bee bison bobcat buck camel cat cheetah cobra condor cougar coyote crab crane crow deer ' +
  'dingo dolphin dove duck eagle elk falcon ferret finch fox frog gazelle gecko gibbon goat goose gull hare hawk hedgehog ' +
  'heron horse ibex ibis jackal jaguar koala lark lemur leopard lion lizard llama lynx magpie marten mole moose mouse newt ' +
  'ocelot orca oriole osprey otter owl panda panther parrot pelican penguin puffin puma quail rabbit raccoon ram raven ' +
  'robin salmon seal shark sparrow squid stork swan tapir tiger toad trout turtle viper vole walrus weasel whale wolf wombat wren yak zebra'
).split(' ')

/** `taken` are other sessions' names; a duplicate gets a number. */
export function nameFor(key: string, taken: { has(name: string): boolean } = new Set()): string {
  const hash = fnv1a(key)
  const base = `${ADJECTIVES[hash % ADJECTIVES.length]}-${ANIMALS[Math.floor(hash / ADJECTIVES.length) % ANIMALS.length]}`
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
  return name
}
