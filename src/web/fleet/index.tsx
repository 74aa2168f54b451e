/** Every session of every agent, those that need you first. */
export default function Fleet() {
  return <h1 className="hidden-text">Fleet</h1>
}
