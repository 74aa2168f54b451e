/** A view that fails must not take the page with it. */
import { Component, type ReactNode } from 'react'
import { errorOf } from '../core/errors.ts'
import { Button } from './parts/controls.tsx'
import { Empty } from './parts/empty.tsx'

interface State {
  readonly error?: Error
}

export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error: errorOf(error) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    // After an upgrade the daemon has other files: an old page cannot load its parts any more.
    const outdated = /import|module|chunk/i.test(error.message)
    return (
      <Empty title={outdated ? 'gantry was upgraded' : 'This view failed'}>
        <p>
          {outdated
            ? 'This page is of the version before. Loading it again brings the new one.'
            : 'The other views still work.'}
        </p>
        {outdated ? null : <pre className="box">{error.message}</pre>}
        <div className="actions">
          <Button kind="main" onClick={() => location.reload()}>
            Load the page again
          </Button>
          {outdated ? null : (
            <Button onClick={() => this.setState({ error: undefined as never })}>Try again</Button>
          )}
        </div>
      </Empty>
    )
  }
}
