#pragma once

#include <QString>

class QDialog;
class QWidget;

namespace fremis::console::ui {

/// The manual in the language of `locale` ("en", "id"), Markdown without its pictures, which the window has before
/// itself.
[[nodiscard]] QString manualText(const QString& locale);

/// The heading of a page's section in `text`; empty: the manual has none.
[[nodiscard]] QString manualHeading(const QString& text, const QString& pageId);

/// A window with the manual, at the section of `pageId`; its caller shows it. Thread: GUI.
[[nodiscard]] QDialog* manualWindow(const QString& locale, const QString& pageId, QWidget* parent);

} // namespace fremis::console::ui
