#pragma once

#include "console/ui/shell/theme.h"
#include "shared/base/ids.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;

namespace fremis::console::ui {

/// Keyspace and face id -> the text that is hashed, its byte, its partition. Thread: GUI.
class Finder final : public QWidget {
    Q_OBJECT

public:
    explicit Finder(const Theme& theme, QWidget* parent = nullptr);
    void ask(const QString& keyspace, const QString& faceId);
    [[nodiscard]] std::optional<base::Partition> partition() const { return m_partition; }
    [[nodiscard]] QString explanation() const;
    void begin(); ///< focus into the id

Q_SIGNALS:
    void found(int partition);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void retranslate();

    QLineEdit* m_keyspace;
    QLineEdit* m_face;
    QLabel* m_answer;
    QLabel* m_keyspaceLabel;
    QLabel* m_faceLabel;
    std::optional<base::Partition> m_partition;
};

} // namespace fremis::console::ui
